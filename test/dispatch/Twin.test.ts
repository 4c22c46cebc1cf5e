/** What refuses a request of which nobody could say whether a twin of it was faster. */
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { Idempotency } from "../../src/auth/Idempotency.ts"
import { IdempotencyConflict } from "../../src/auth/refusals.ts"
import { DatabaseUnavailable } from "../../src/database/refusals.ts"
import { SenderBalanceTooLow } from "../../src/dispatch/refusals.ts"
import { unlessTwin } from "../../src/dispatch/Twin.ts"

const key = { accountId: "", principalId: "", key: "", identity: "" }

/** The subject that is shown, or what it is refused with. */
const answered = (find: ReturnType<typeof Idempotency.Service.find>) =>
  unlessTwin(key, new SenderBalanceTooLow(), Effect.succeed).pipe(
    Effect.catchAll(refusal => Effect.succeed(refusal._tag)),
    Effect.provide(Layer.mock(Idempotency, { find: () => find }))
  )

it.effect("is the database where that did not tell, and is what it was where there is no twin", () =>
  Effect.gen(function* () {
    const outcome = { planId: undefined, step: undefined, subject: "twin" }
    assert.strictEqual(yield* answered(Effect.succeedSome(outcome)), "twin")
    assert.strictEqual(yield* answered(Effect.fail(new DatabaseUnavailable())), "DATABASE_UNAVAILABLE")
    for (const none of [Effect.succeed(Option.none()), Effect.fail(new IdempotencyConflict())])
      assert.strictEqual(yield* answered(none), "INSUFFICIENT_BALANCE")
  })
)
