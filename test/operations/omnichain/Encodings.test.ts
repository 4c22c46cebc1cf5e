import { Interface } from "ethers"
import fc from "fast-check"
import { describe, it } from "vitest"
import { accountingSyncCalls } from "../../../src/operations/omnichain/prepare_accounting_sync/Run.ts"
import { bridgeClaimCalls } from "../../../src/operations/omnichain/prepare_bridge_claim/Run.ts"
import { agreesWithEthers, aHash, anAddress, aProject, aUint } from "../../support/Encodings.ts"

const suckers = new Interface([
  "function claim((address token, (uint256 index, bytes32 beneficiary, uint256 projectTokenCount, uint256 terminalTokenAmount, bytes32 metadata) leaf, bytes32[32] proof) claimData)",
  "function syncAccountingData() payable"
])

const suckerContract = fc.constantFrom(
  "JBOptimismSucker",
  "JBBaseSucker",
  "JBArbitrumSucker",
  "JBCCIPSucker",
  "JBSucker"
)

const shared = { project: aProject, account: anAddress, sucker: anAddress }

describe("the calls of bridges", () => {
  it("claim what ethers encodes", () => {
    agreesWithEthers({
      id: "prepare_bridge_claim",
      input: fc.record({
        ...shared,
        claim: fc.record({
          token: anAddress,
          leaf: fc.record({
            index: aUint(32),
            beneficiary: aHash,
            projectTokenCount: aUint(256, 1n),
            terminalTokenAmount: aUint(256),
            metadata: aHash
          }),
          proof: fc.array(aHash, { minLength: 32, maxLength: 32 })
        })
      }),
      facts: fc.record({ suckerContract }),
      calls: bridgeClaimCalls,
      independent: ({ claim, sucker }) => [{ to: sucker, data: suckers.encodeFunctionData("claim", [claim]) }]
    })
  })

  it("sync what ethers encodes", () => {
    agreesWithEthers({
      id: "prepare_accounting_sync",
      input: fc.record({ ...shared, maxTransportValue: aUint(256) }),
      facts: fc.record({ suckerContract, value: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }) }),
      calls: accountingSyncCalls,
      independent: ({ sucker }, { value }) => [
        { to: sucker, data: suckers.encodeFunctionData("syncAccountingData"), value }
      ]
    })
  })
})
