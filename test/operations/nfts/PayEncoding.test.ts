import { AbiCoder, dataSlice, Interface, id } from "ethers"
import fc from "fast-check"
import { describe, it } from "vitest"
import { shopPayCalls } from "../../../src/operations/nfts/prepare_721_pay/Run.ts"
import { agreesWithEthers, anAddress, aUint } from "../../support/Encodings.ts"
import { aPayment, NATIVE } from "../../support/Payments.ts"

const MULTI_TERMINAL = "0x130f5dd2bd8805443cf41755253d778a75a67f53"

const terminal = new Interface([
  "function pay(uint256 projectId, address token, uint256 amount, address beneficiary, uint256 minReturnedTokens, string memo, bytes metadata) payable returns (uint256)"
])
const erc20 = new Interface(["function approve(address spender, uint256 value) returns (bool)"])

/** A reserved word, the entry's id and where its value begins, then the value. */
const metadataOf = (target: string, allowOverspending: boolean, tierIds: ReadonlyArray<number>) => {
  const bits = BigInt(dataSlice(target, 0, 4)) ^ BigInt(dataSlice(id("pay"), 0, 4))
  const entry = `${bits.toString(16).padStart(8, "0")}02`.padEnd(64, "0")
  const value = AbiCoder.defaultAbiCoder().encode(["bool", "uint16[]"], [allowOverspending, tierIds])
  return `0x${"00".repeat(32)}${entry}${value.slice(2)}`
}

describe("the calldata of", () => {
  it("prepare_721_pay is that of an independent encoding, its approvals exact and before it", () => {
    const tierId = fc.integer({ min: 1, max: 65_535 })
    agreesWithEthers({
      id: "prepare_721_pay",
      input: fc.record({
        ...aPayment,
        tierIds: fc.array(tierId, { minLength: 1, maxLength: 32 }),
        slippageBps: fc.integer({ min: 0, max: 1000 }),
        allowOverspending: fc.boolean()
      }),
      facts: fc.record({
        metadataIdTarget: anAddress,
        minimumBeneficiaryTokenCount: aUint(256),
        allowance: fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }))
      }),
      calls: (input, { allowance, ...facts }) => {
        const spends = {
          token: input.token,
          spender: `0x${MULTI_TERMINAL.slice(2)}` as const,
          needed: BigInt(input.amount),
          allowance
        }
        return shopPayCalls(input, { ...facts, spends: input.token === NATIVE ? undefined : spends })
      },
      independent: (input, { metadataIdTarget, minimumBeneficiaryTokenCount, allowance }) => {
        const { project, token, amount, beneficiary, allowOverspending, tierIds } = input
        const approve = (value: bigint) => ({
          to: token,
          data: erc20.encodeFunctionData("approve", [MULTI_TERMINAL, value])
        })
        const isShort = token !== NATIVE && allowance < BigInt(amount)
        const metadata = metadataOf(metadataIdTarget, allowOverspending, tierIds)
        const args = [
          project.projectId,
          token,
          amount,
          beneficiary,
          minimumBeneficiaryTokenCount,
          "",
          metadata
        ]
        return [
          ...(isShort && allowance > 0n ? [approve(0n)] : []),
          ...(isShort ? [approve(BigInt(amount))] : []),
          {
            to: MULTI_TERMINAL,
            data: terminal.encodeFunctionData("pay", args),
            value: token === NATIVE ? BigInt(amount) : 0n
          }
        ]
      }
    })
  })
})
