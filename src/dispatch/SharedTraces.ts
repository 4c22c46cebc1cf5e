/** The traces of one look: each is asked for once, and in a round trip of its own, so that one that is too large hides nothing beside it. */
import { Effect, Option } from "effect"
import type { ChainSession, Read } from "../chain/ChainClient.ts"
import { tentative } from "../chain/PinnedReads.ts"
import type { RpcFailure } from "../chain/refusals.ts"
import type { Trace, TraceOutcome } from "../chain/TraceReads.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"

const AT_ONCE = 16

export type AskTrace = (read: Read<TraceOutcome>) => Effect.Effect<Option.Option<Trace>, RpcFailure>

const isSame = (one: Read<TraceOutcome>, other: Read<TraceOutcome>): boolean =>
  canonicalJson(one.params) === canonicalJson(other.params)

/** One that is too large to be read is none; one that could not be asked for is asked for again. */
const asking = (session: ChainSession, read: Read<TraceOutcome>): ReturnType<AskTrace> =>
  session.all([tentative(read)]).pipe(
    Effect.map(([outcome]) => outcome),
    Effect.catchTag("RPC_INVALID_RESPONSE", () => Effect.succeed(Option.none<TraceOutcome>())),
    Effect.map(Option.flatMap(told => (told._tag === "Traced" ? Option.some(told) : Option.none())))
  )

export const sharedTraces = (session: ChainSession): Effect.Effect<AskTrace> =>
  Effect.flatMap(Effect.makeSemaphore(AT_ONCE), turns =>
    Effect.cachedFunction((read: Read<TraceOutcome>) => turns.withPermits(1)(asking(session, read)), isSame)
  )
