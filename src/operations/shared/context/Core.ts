/** Whether a project stands under the canonical controller, and its current ruleset. */
import { Effect } from "effect"
import {
  NoActiveRuleset,
  ProjectNotFound,
  ProjectWithoutController,
  UnsupportedConfiguration,
  UnsupportedController
} from "../../../projects/refusals.ts"
import type { ContractName } from "../../../protocol/ContractFunction.ts"
import type { PinnedSnapshot } from "../../../protocol/PinnedContracts.ts"
import { RulesetWithMetadata } from "../../../protocol/ProjectRecords.ts"
import { eachAtOnce } from "../../../values/EachAtOnce.ts"
import { Address, ZERO_ADDRESS } from "../../../values/Scalars.ts"

export const AT_ONCE = { concurrency: "unbounded" } as const

/** Undefined where the chain has none. */
export const currentAddressOf = (snapshot: PinnedSnapshot, contract: ContractName): Address | undefined =>
  snapshot.deploymentsOf(contract).find(({ retired, clone }) => !retired && !clone)?.address

export interface CoreContext {
  readonly controller: Address
  /** Its ruleset's id is zero where none is active. */
  readonly current: RulesetWithMetadata
}

/** The directory answers alike for a project without a controller and for none at all; only the projects know which. */
const refuseWithout = Effect.fnUntraced(function* ({ read, chainId }: PinnedSnapshot, projectId: string) {
  const context = { chainId, projectId }
  const owner = yield* read("JBProjects", "ownerOf", [projectId], Address).pipe(
    Effect.catchTag("CALL_REVERTED", () => new ProjectNotFound({ context }))
  )
  return yield* new ProjectWithoutController({ context: { ...context, owner } })
})

/** One round trip, and another one before a refusal. */
export const readController = Effect.fn("Context.controller")(function* (
  snapshot: PinnedSnapshot,
  projectId: string
) {
  const controller = yield* snapshot.read("JBDirectory", "controllerOf", [projectId], Address)
  if (controller === ZERO_ADDRESS) return yield* refuseWithout(snapshot, projectId)
  if (controller !== (yield* snapshot.addressOf("JBController")))
    return yield* new UnsupportedController({ context: { controller } })
  return controller
})

/** One round trip. */
export const readCore = Effect.fn("Context.core")(function* (snapshot: PinnedSnapshot, projectId: string) {
  const current = snapshot.read("JBController", "currentRulesetOf", [projectId], RulesetWithMetadata)
  const answers = yield* eachAtOnce({ controller: readController(snapshot, projectId), current })
  const core: CoreContext = { controller: yield* answers.controller, current: yield* answers.current }
  return core
})

/** One round trip; what a quote rests on has to be active. */
export const readActiveCore = (snapshot: PinnedSnapshot, projectId: string) =>
  readCore(snapshot, projectId).pipe(
    Effect.catchTag(
      "UNSUPPORTED_CONTROLLER",
      ({ context = {} }) => new UnsupportedConfiguration({ context })
    ),
    Effect.filterOrFail(
      ({ current }) => current.ruleset.id !== "0",
      () => new NoActiveRuleset({ context: { chainId: snapshot.chainId, projectId } })
    )
  )
