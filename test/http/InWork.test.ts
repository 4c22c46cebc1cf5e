import { assert, it } from "@effect/vitest"
import { Effect, Either, Fiber, Layer, TestClock } from "effect"
import { InWork, type Reading } from "../../src/http/InWork.ts"
import { Settings } from "../../src/settings/Settings.ts"
import { testSettings } from "../support/Service.ts"

const settings = Layer.succeed(Settings, { ...testSettings(0, 0, ""), maximumInWork: 2 })
const layer = Layer.provide(InWork.layer, settings)

const codeOf = <A, E extends { readonly _tag: string }>(result: Either.Either<A, E>) =>
  Either.isLeft(result) ? result.left._tag : "OK"

const never: Reading<void, never> = () => () => {}
const atOnce: Reading<void, never> = finish => {
  queueMicrotask(() => finish(Effect.void))
  return () => {}
}

it.effect("lets the slowest body go for one that comes, but none that is not slow", () =>
  Effect.gen(function* () {
    const { reading } = yield* InWork
    const first = yield* Effect.fork(Effect.either(reading(never)))
    yield* TestClock.adjust("1 second")
    const second = yield* Effect.fork(Effect.either(reading(never)))
    yield* TestClock.adjust("999 millis")
    assert.strictEqual(codeOf(yield* Effect.either(reading(atOnce))), "SERVICE_BUSY")
    yield* TestClock.adjust("1 millis")
    assert.strictEqual(codeOf(yield* Effect.either(reading(atOnce))), "OK")
    assert.strictEqual(codeOf(yield* Fiber.join(first)), "BODY_TIMEOUT")
    const third = yield* Effect.fork(reading(never))
    yield* TestClock.adjust("0 millis")
    assert.strictEqual(codeOf(yield* Effect.either(reading(atOnce))), "SERVICE_BUSY")
    yield* Fiber.interrupt(third)
    assert.strictEqual(codeOf(yield* Effect.either(reading(atOnce))), "OK")
    yield* Fiber.interrupt(second)
  }).pipe(Effect.provide(layer))
)
