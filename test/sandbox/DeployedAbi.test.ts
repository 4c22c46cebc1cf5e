import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { sandboxContracts } from "../../sandbox/contracts.ts"
import { suckersId } from "../../sandbox/families/suckers.ts"
import { owner } from "./support/Sandbox.ts"

interface Parameter {
  readonly name: string
  readonly type: string
  readonly indexed?: boolean
  readonly components?: ReadonlyArray<Parameter>
}

interface Entry {
  readonly type: string
  readonly name?: string
  readonly inputs?: ReadonlyArray<Parameter>
  readonly outputs?: ReadonlyArray<Parameter>
  readonly stateMutability?: string
}

/** The forwarder comes from a newer release than the deployed one, and the deployed hook leaves these to a library. */
const DECLARED_ELSEWHERE = [
  "error DeploymentFailed",
  "error ERC2771ForwarderNoRefundReceiver",
  "error JB721TiersHook_CantBuyWithCredits",
  "error JB721TiersHook_Overspending",
  "error SafeERC20FailedOperation"
]

/** What terminals declare and one that keeps nothing never emits. */
const UNUSED_BY_ROUTERS = [
  "event AddToBalance",
  "event HookAfterRecordPay",
  "event MigrateTerminal",
  "event Pay",
  "event Permit2AllowanceFailed",
  "event SetAccountingContext"
]

const OMITTED: Readonly<Record<string, ReadonlyArray<string>>> = {
  JB721TiersHook: [
    "event PermissionIdChanged",
    "event SetBaseUri",
    "event SetContractUri",
    "event SetEncodedIpfsUri",
    "event SetName",
    "event SetSymbol",
    "event SetTokenUriResolver",
    "event SplitPayoutReverted",
    "function afterCashOutRecordedWith",
    "function cashOutWeightOf",
    "function checkpoints",
    "function mintPendingReservesFor",
    "function renounceOwnership",
    "function setDiscountPercentsOf",
    "function setMetadata",
    "function setPermissionId",
    "function totalCashOutWeight"
  ],
  JB721TiersHookProjectDeployer: ["function launchRulesetsFor", "function queueRulesetsOf"],
  JB721TiersHookStore: [
    "function cashOutWeightOf",
    "function encodedTierIPFSUriOf",
    "function heldTierIdsOf",
    "function heldTierVotingUnitsOf",
    "function numberOfBurnedFor",
    "function recordBurn",
    "function recordSetEncodedIpfsUriOf",
    "function tierTransferInfoOfTokenId",
    "function tierVotingUnitsOf",
    "function tierVotingUnitsOfTokenId",
    "function totalCashOutWeightOf",
    "function votingUnitsOf"
  ],
  JBBuybackHook: ["event SellSwapReverted"],
  JBController: [
    "event Migrate",
    "function afterReceiveMigrationFrom",
    "function beforeReceiveMigrationFrom",
    "function migrate"
  ],
  JBERC20: ["function getPastTotalActiveVotes", "function getTotalActiveVotes"],
  JBRouterTerminal: [
    ...UNUSED_BY_ROUTERS,
    "event Permit2AllowanceFailed",
    "function bestPoolLiquidityOf",
    "function discoverPool",
    "function previewCashOutLoopOf",
    "function previewSwapAmountOutOf",
    "function previewTerminalPayOf",
    "function uniswapV3SwapCallback",
    "function unlockCallback"
  ].sort(),
  JBRouterTerminalRegistry: UNUSED_BY_ROUTERS,
  JBCCIPSucker: [
    "event EmergencyExit",
    "event RetainedToRemoteFee",
    "event RetainedToRemoteFeeClaimed",
    "function claimRetainedToRemoteFee",
    "function exitThroughEmergencyHatch",
    "function peerChainIds",
    "function retainedToRemoteFeeBalance",
    "function retainedToRemoteFeeOf"
  ],
  JBOptimismSucker: [
    "event EmergencyExit",
    "event RetainedToRemoteFee",
    "event RetainedToRemoteFeeClaimed",
    "event RetainedTransportPaymentRefund",
    "event RetainedTransportPaymentRefundClaimed",
    "function claimRetainedToRemoteFee",
    "function claimRetainedTransportPaymentRefund",
    "function exitThroughEmergencyHatch",
    "function peerChainIds",
    "function retainedToRemoteFeeBalance",
    "function retainedToRemoteFeeOf",
    "function retainedTransportPaymentRefundBalance",
    "function retainedTransportPaymentRefundOf"
  ],
  JBSuckerRegistry: ["function allowTokenMappings", "function removeTokenMappings"],
  REVDeployer: ["function deploySuckersFor"],
  REVLoans: [
    "event SetTokenUriResolver",
    "fallback ",
    "function setTokenUriResolver",
    "function tokenUriResolver"
  ],
  REVOwner: ["event BurnHeldTokens", "function burnHeldTokensOf", "function peerChainAdjustedAccountsOf"]
}

/** They stand where recordings are played. */
const NOT_DEPLOYED = [
  { name: "JBCCIPSucker", contractId: suckersId("JBCCIPSucker") },
  { name: "JBCCIPSuckerDeployer", contractId: suckersId("JBCCIPSuckerDeployer", "src/deployers") }
]

const pinned = (file: string) =>
  readFileSync(new URL(`../../schema/protocol/${file}`, import.meta.url), "utf8")

const artifact = (name: string): { readonly abi: ReadonlyArray<Entry> } =>
  JSON.parse(readFileSync(new URL(`../../sandbox/artifacts/${name}.json`, import.meta.url), "utf8"))

const label = ({ name = "", type }: Entry) => `${type} ${name}`

const parameter = ({ components, indexed, name, type }: Parameter): string => {
  const shape =
    components === undefined ? type : `(${components.map(parameter)})${type.slice("tuple".length)}`
  return `${shape}${indexed ? " indexed" : ""} ${name}`
}

const exactly = (entry: Entry): string =>
  `${label(entry)}(${(entry.inputs ?? []).map(parameter)}) ${entry.stateMutability}(${(entry.outputs ?? []).map(parameter)})`

describe("the sandbox's ABIs", () => {
  const contracts: ReadonlyArray<{ readonly id: string; readonly abiHash: string | null }> = JSON.parse(
    pinned("contracts.json")
  )
  const lines = new Map(
    pinned("abis.ndjson")
      .split("\n")
      .map(line => [createHash("sha256").update(line).digest("hex"), line])
  )

  const deployedAbi = (contractId: string): ReadonlyArray<Entry> => {
    const hash = contracts.find(({ id }) => id === contractId)?.abiHash
    return JSON.parse(lines.get(hash ?? "") ?? "null")
  }

  for (const { contractId, name } of [...sandboxContracts(owner.address), ...NOT_DEPLOYED]) {
    it(`declare ${name} as deployed, with names, mutability and indexing`, () => {
      const deployed = new Set(deployedAbi(contractId).map(exactly))
      const strange = artifact(name).abi.filter(
        entry => !deployed.has(exactly(entry)) && !DECLARED_ELSEWHERE.includes(label(entry))
      )
      assert.deepEqual(strange.map(exactly), [])
    })

    it(`leave out of ${name} only what is known to be left out`, () => {
      const ours = new Set(artifact(name).abi.map(exactly))
      const missing = deployedAbi(contractId).filter(
        entry => entry.type !== "error" && !ours.has(exactly(entry))
      )
      assert.deepEqual(missing.map(label).sort(), OMITTED[name] ?? [])
    })
  }
})
