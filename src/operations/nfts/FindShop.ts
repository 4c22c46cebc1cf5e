/** Which 721 hook is the shop of a project: that of the revnet, else the one behind its current data hook. */
import { Effect } from "effect"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { type RulesetWithMetadata, wasQueued } from "../../protocol/ProjectRecords.ts"
import { eachAtOnce } from "../../values/EachAtOnce.ts"
import { Address, Bytes32, ZERO_ADDRESS } from "../../values/Scalars.ts"
import { InvalidRevnetIdentity } from "../revnets/refusals.ts"
import { currentAddressOf, readCore } from "../shared/context/Core.ts"
import { omnichainCalls, readTieredHook } from "../shared/context/OmnichainHooks.ts"
import { recordedAddresses } from "../shared/context/Recorded.ts"

export interface FoundShop {
  readonly isRevnet: boolean
  readonly current: RulesetWithMetadata
  /** Whether the current ruleset sends payments past its data hook. */
  readonly isActive: boolean
  /** Not yet proved to be a clone; null where the project has none. */
  readonly hook: Address | null
}

const UNCONFIGURED: Bytes32 = `0x${"00".repeat(32)}`

/** The chains without revnets have no deployer to ask. */
const configurationHash = (snapshot: PinnedSnapshot, projectId: string) =>
  currentAddressOf(snapshot, "REVDeployer") === undefined
    ? Effect.succeed(UNCONFIGURED)
    : snapshot.read("REVDeployer", "hashedEncodedConfigurationOf", [projectId], Bytes32)

const questions = (snapshot: PinnedSnapshot, projectId: string) => ({
  ahead: snapshot.foresee(omnichainCalls(snapshot, projectId)),
  core: readCore(snapshot, projectId),
  configurationHash: configurationHash(snapshot, projectId),
  owner: snapshot.read("JBProjects", "ownerOf", [projectId], Address),
  ofRevnet: snapshot.read("REVOwner", "tiered721HookOf", [projectId], Address)
})

const BUYBACKS = ["JBBuybackHook", "JBBuybackHookRegistry"] as const

const behindDataHook = (
  snapshot: PinnedSnapshot,
  projectId: string,
  { ruleset, metadata: { dataHook } }: RulesetWithMetadata
) => {
  if (dataHook === currentAddressOf(snapshot, "JBOmnichainDeployer"))
    return Effect.map(readTieredHook(snapshot, projectId, ruleset.id), ({ hook }) => hook)
  const isBuyback = BUYBACKS.some(name => recordedAddresses(snapshot, name).includes(dataHook))
  return Effect.succeed(isBuyback ? ZERO_ADDRESS : dataHook)
}

/** One round trip. Before its first stage a revnet has no current ruleset, and so no data hook. */
export const findShop = Effect.fn("FindShop.of")(function* (snapshot: PinnedSnapshot, projectId: string) {
  const answers = yield* eachAtOnce(questions(snapshot, projectId))
  const { current } = yield* answers.core
  const isRevnet = (yield* answers.configurationHash) !== UNCONFIGURED
  const { useDataHookForPay, dataHook } = current.metadata
  if (isRevnet) {
    const [owner, expected] = [yield* answers.owner, yield* snapshot.addressOf("REVOwner")]
    const isOfRevnet = !wasQueued(current) || (useDataHookForPay && dataHook === expected)
    if (owner !== expected || !isOfRevnet)
      return yield* new InvalidRevnetIdentity({ context: { owner, dataHook, expected } })
  }
  const hook = yield* isRevnet ? answers.ofRevnet : behindDataHook(snapshot, projectId, current)
  const found: FoundShop = {
    isRevnet,
    current,
    isActive: current.ruleset.id !== "0" && useDataHookForPay,
    hook: hook === ZERO_ADDRESS ? null : hook
  }
  return found
})
