/** Whether a project is a revnet that rests on canonical contracts alone. */
import { Effect } from "effect"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { RulesetWithMetadata, wasQueued } from "../../protocol/ProjectRecords.ts"
import { eachAtOnce } from "../../values/EachAtOnce.ts"
import { Address, Bytes32 } from "../../values/Scalars.ts"
import { AT_ONCE } from "../shared/context/Core.ts"
import { NotARevnet, UnsupportedRevnetConfiguration, UnsupportedRevnetDependency } from "./refusals.ts"

export interface Revnet {
  readonly configurationHash: Bytes32
  /** REVOwner, which owns the project. */
  readonly owner: Address
  readonly loans: Address
  readonly current: RulesetWithMetadata
}

const UNCONFIGURED: Bytes32 = `0x${"00".repeat(32)}`

/** Getters of REVDeployer, all of them immutable, and the contracts that they have to name. */
const DEPENDENCIES = [
  ["OWNER", "REVOwner"],
  ["LOANS", "REVLoans"],
  ["MULTI_TERMINAL", "JBMultiTerminal"],
  ["PERMISSIONS", "JBPermissions"],
  ["CONTROLLER", "JBController"],
  ["DIRECTORY", "JBDirectory"],
  ["PROJECTS", "JBProjects"]
] as const

const readDependencies = ({ read }: PinnedSnapshot) =>
  Effect.forEach(
    DEPENDENCIES,
    ([getter, contract]) =>
      Effect.map(read("REVDeployer", getter, [], Address), actual => ({ getter, contract, actual })),
    AT_ONCE
  )

const questions = (snapshot: PinnedSnapshot, projectId: string) => ({
  configurationHash: snapshot.read("REVDeployer", "hashedEncodedConfigurationOf", [projectId], Bytes32),
  dependencies: requireDependencies(snapshot),
  projectOwner: snapshot.read("JBProjects", "ownerOf", [projectId], Address),
  controller: snapshot.read("JBDirectory", "controllerOf", [projectId], Address),
  current: snapshot.read("JBController", "currentRulesetOf", [projectId], RulesetWithMetadata),
  terminal: snapshot.read("REVLoans", "TERMINAL", [], Address)
})

const unlike = (what: string, actual: Address, expected: Address) => ({
  detail: `${what} is ${actual} instead of ${expected}.`,
  context: { what, actual, expected }
})

/** One round trip: whether the deployer rests on canonical contracts alone. */
export const requireDependencies = Effect.fn("VerifyRevnet.dependencies")(function* (
  snapshot: PinnedSnapshot
) {
  for (const { getter, contract, actual } of yield* readDependencies(snapshot)) {
    const expected = yield* snapshot.addressOf(contract)
    if (actual !== expected)
      return yield* new UnsupportedRevnetDependency(unlike(`REVDeployer.${getter}()`, actual, expected))
  }
})

const hookOf = ({ current, owner }: Pick<Revnet, "current" | "owner">) =>
  ["the current ruleset's data hook", current.metadata.dataHook, owner] as const

const requireSame = Effect.fnUntraced(function* (
  expectations: ReadonlyArray<readonly [what: string, actual: Address, expected: Address]>
) {
  for (const [what, actual, expected] of expectations)
    if (actual !== expected) return yield* new UnsupportedRevnetConfiguration(unlike(what, actual, expected))
})

/** One round trip, as `verifyRevnet`; before its first stage a revnet has no current ruleset, and so no data hook. */
export const verifyStartedOrNot = Effect.fn("VerifyRevnet.startedOrNot")(function* (
  snapshot: PinnedSnapshot,
  projectId: string
) {
  const answers = yield* eachAtOnce(questions(snapshot, projectId))
  const configurationHash = yield* answers.configurationHash
  if (configurationHash === UNCONFIGURED) return yield* new NotARevnet({ context: { projectId } })
  yield* answers.dependencies
  const current = yield* answers.current
  const owner = yield* snapshot.addressOf("REVOwner")
  const shouldBe = [
    ["the project's owner", yield* answers.projectOwner, owner],
    ...(wasQueued(current) ? ([hookOf({ current, owner })] as const) : []),
    ["the project's controller", yield* answers.controller, yield* snapshot.addressOf("JBController")],
    ["REVLoans.TERMINAL()", yield* answers.terminal, yield* snapshot.addressOf("JBMultiTerminal")]
  ] as const
  yield* requireSame(shouldBe)
  const revnet: Revnet = {
    configurationHash,
    owner,
    loans: yield* snapshot.addressOf("REVLoans"),
    current
  }
  return revnet
})

/** One round trip; what is wrong first in this order decides, whatever else failed beside it. */
export const verifyRevnet = Effect.fn("VerifyRevnet.of")(function* (
  snapshot: PinnedSnapshot,
  projectId: string
) {
  const revnet = yield* verifyStartedOrNot(snapshot, projectId)
  yield* requireSame([hookOf(revnet)])
  return revnet
})
