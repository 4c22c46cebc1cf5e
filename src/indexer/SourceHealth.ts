/** Whether a source works: what its latest questions tell, and a probe where there were none of late. */
import { Duration, Effect } from "effect"
import { steadyMillis } from "../values/SteadyClock.ts"
import { STATUS_QUESTION } from "./Document.ts"
import { type Ask, type AskRefusal, isOfQuestionAlone } from "./Source.ts"

interface Health {
  /** The same questions, of which it is remembered how they ended. */
  readonly heard: Ask
  readonly answers: Effect.Effect<boolean>
}

const LASTS_MILLIS = 5_000
const PROBE_DEADLINE = Duration.millis(1_500)

/** Undefined where a failure is not the source's as a whole, or not surely. */
const verdictOf = (refusal: AskRefusal): boolean | undefined =>
  isOfQuestionAlone(refusal) || refusal._tag === "INDEXER_RESPONSE_TOO_LARGE" ? undefined : false

export const makeHealth = (ask: Ask): Health => {
  let verdict: boolean | undefined
  let heardAt = 0
  const remember = (found: boolean | undefined) =>
    Effect.clockWith(clock =>
      Effect.sync(() => {
        verdict = found
        heardAt = steadyMillis(clock)
      })
    )
  const heard: Ask = question =>
    Effect.tapBoth(ask(question), {
      onFailure: refusal => remember(verdictOf(refusal)),
      onSuccess: () => remember(true)
    })
  /** It reads one row of the source's tables. */
  const probe = Effect.match(Effect.timeout(ask(STATUS_QUESTION), PROBE_DEADLINE), {
    onFailure: () => false,
    onSuccess: ({ data }) => "_meta" in data
  }).pipe(Effect.tap(remember))
  const answers = Effect.clockWith(clock =>
    verdict !== undefined && steadyMillis(clock) - heardAt < LASTS_MILLIS ? Effect.succeed(verdict) : probe
  )
  return { heard, answers }
}
