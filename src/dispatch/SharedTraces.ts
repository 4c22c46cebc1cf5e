/** The traces of one look: each is asked for once, and in a round trip of its own, so that one that is too large hides nothing beside it. */
import { Effect, Option } from "effect"
import type { ChainSession, Read } from "../chain/ChainClient.ts"
import { isLimiting } from "../chain/JsonRpc.ts"
import { tentative } from "../chain/PinnedReads.ts"
import type { RpcBudget } from "../chain/refusals.ts"
import type { Trace, TraceOutcome } from "../chain/TraceReads.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"

const AT_ONCE = 16

interface Untold {
  readonly _tag: "Unread"
  /** It may be told another time. */
  readonly isPassing: boolean
}

type ToldTrace =
  | (Trace & { readonly _tag: "Traced" })
  /** The node, or the one that took over from another, does not tell it: what the same logs were judged to be before stands. */
  | Untold

export type AskTrace = (read: Read<TraceOutcome>) => Effect.Effect<ToldTrace, RpcBudget>

const isSame = (one: Read<TraceOutcome>, other: Read<TraceOutcome>): boolean =>
  canonicalJson(one.params) === canonicalJson(other.params)

const untold = (isPassing: boolean): Untold => ({ _tag: "Unread", isPassing })

const told = (outcome: TraceOutcome): ToldTrace =>
  outcome._tag === "Traced" ? outcome : untold(isLimiting(outcome.code))

/** One that is too large is told by nobody; what else went wrong may pass. */
const asking = (session: ChainSession, read: Read<TraceOutcome>): ReturnType<AskTrace> =>
  session.all([tentative(read)]).pipe(
    Effect.map(([outcome]) => Option.match(outcome, { onNone: () => untold(false), onSome: told })),
    Effect.catchAll(failure =>
      failure._tag === "RPC_BUDGET"
        ? Effect.fail(failure)
        : Effect.succeed(untold(failure._tag !== "RPC_INVALID_RESPONSE"))
    )
  )

export const sharedTraces = (session: ChainSession): Effect.Effect<AskTrace> =>
  Effect.flatMap(Effect.makeSemaphore(AT_ONCE), turns =>
    Effect.cachedFunction((read: Read<TraceOutcome>) => turns.withPermits(1)(asking(session, read)), isSame)
  )
