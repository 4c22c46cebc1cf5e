/** Named moments between two awaits of a submission or a sponsorship, where a test may end or hold the process; in production nothing happens there. */
import { Context, Effect } from "effect"

export const FAILPOINTS = [
  "request.bodyRead",
  "request.verified",
  "request.judged",
  "create.keyLookedUp",
  "create.prepared",
  "create.proposed",
  "create.stored",
  "create.replayed",
  "submit.parsed",
  "submit.planFound",
  "submit.bytesChecked",
  "submit.inHand",
  "relay.sighted",
  "relay.known",
  "dispatch.consentPresent",
  "dispatch.refreshed",
  "dispatch.planRead",
  "dispatch.current",
  "preflight.standing",
  "preflight.simulated",
  "preflight.passed",
  "approval.clockRead",
  "approval.verified",
  "approval.given",
  "claim.queued",
  "claim.begun",
  "claim.committed",
  "claim.told",
  "observed.begun",
  "observed.committed",
  "repeat.begun",
  "repeat.committed",
  "broadcast.begun",
  "broadcast.refused",
  "broadcast.answered",
  "broadcast.settled",
  "broadcast.awaited",
  "answer.begun",
  "answer.read",
  "answer.given",
  "refresh.loaded",
  "refresh.receiptsRead",
  "refresh.unminedRead",
  "refresh.observed",
  "refresh.stored",
  "recovery.claimed",
  "recovery.reconciled",
  "sponsor.prepared",
  "sponsor.stored",
  "sponsor.recovered",
  "sponsor.current",
  "sponsor.simulated",
  "sponsor.approved",
  "sponsor.claimed",
  "sponsor.told",
  "sponsor.posted",
  "sponsor.answered",
  "sponsor.settled",
  "sponsor.located",
  "sponsor.proved",
  "sponsor.dead",
  "sponsor.verified",
  "sponsor.funded",
  "binding.stored",
  "operation.located",
  "operation.proved",
  "operation.estimated",
  "operation.stored"
] as const

export type Failpoint = (typeof FAILPOINTS)[number]

/** What happens there; only code that composes the process can set it. */
export class AtFailpoint extends Context.Reference<AtFailpoint>()("values/AtFailpoint", {
  defaultValue: (): ((reached: Failpoint) => Effect.Effect<void>) => () => Effect.void
}) {}

export const failpoint = (reached: Failpoint): Effect.Effect<void> =>
  Effect.withFiberRuntime(fiber => Context.get(fiber.currentContext, AtFailpoint)(reached))
