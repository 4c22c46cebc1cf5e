/** The traces of one look: each is asked for once, and in a round trip of its own, so that one that is too large hides nothing beside it. */
import { Effect, Option } from "effect"
import type { ChainSession, Read } from "../chain/ChainClient.ts"
import { isLimiting } from "../chain/JsonRpc.ts"
import { tentative } from "../chain/PinnedReads.ts"
import { type RpcFailure, RpcUnavailable } from "../chain/refusals.ts"
import type { Trace, TraceOutcome } from "../chain/TraceReads.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"

const AT_ONCE = 16

type ToldTrace =
  | (Trace & { readonly _tag: "Traced" })
  /** The node, or the one that took over from another, does not tell it: what the same logs were judged to be before stands. */
  | { readonly _tag: "Unread" }

export type AskTrace = (read: Read<TraceOutcome>) => Effect.Effect<ToldTrace, RpcFailure>

const isSame = (one: Read<TraceOutcome>, other: Read<TraceOutcome>): boolean =>
  canonicalJson(one.params) === canonicalJson(other.params)

const told = (outcome: TraceOutcome): Effect.Effect<ToldTrace, RpcFailure> => {
  if (outcome._tag === "Traced") return Effect.succeed(outcome)
  if (isLimiting(outcome.code)) return new RpcUnavailable()
  return Effect.succeed({ _tag: "Unread" })
}

/** One that is too large to be read is unread; one that could not be asked for now is asked for again. */
const asking = (session: ChainSession, read: Read<TraceOutcome>): ReturnType<AskTrace> =>
  session.all([tentative(read)]).pipe(
    Effect.map(([outcome]) => outcome),
    Effect.catchTag("RPC_INVALID_RESPONSE", () => Effect.succeed(Option.none<TraceOutcome>())),
    Effect.flatMap(Option.match({ onNone: () => Effect.succeed({ _tag: "Unread" }), onSome: told }))
  )

export const sharedTraces = (session: ChainSession): Effect.Effect<AskTrace> =>
  Effect.flatMap(Effect.makeSemaphore(AT_ONCE), turns =>
    Effect.cachedFunction((read: Read<TraceOutcome>) => turns.withPermits(1)(asking(session, read)), isSame)
  )
