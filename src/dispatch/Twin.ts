/** Two equal requests at once: what refuses one may be that the other was faster, whatever that brought about. */
import { Effect, Option } from "effect"
import { Idempotency, type RequestKey } from "../auth/Idempotency.ts"
import type { AnyRefusal } from "../values/Refusal.ts"
import { mayHaveClaimed } from "./refusals.ts"

/** Shows what is stored under the request's key, where something is. */
export const unlessTwin = Effect.fnUntraced(function* <E extends AnyRefusal, A, E2, R>(
  key: RequestKey,
  refused: E,
  shown: (subject: string) => Effect.Effect<A, E2, R>
) {
  if (mayHaveClaimed(refused)) return yield* Effect.fail(refused)
  const ofAnother = () => Effect.succeedNone
  const twin = yield* Effect.catchTag((yield* Idempotency).find(key), "IDEMPOTENCY_CONFLICT", ofAnother)
  const subject = Option.getOrUndefined(twin)?.subject
  return subject === undefined ? yield* Effect.fail(refused) : yield* shown(subject)
})
