import { assert, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { SteadyHeads } from "../../src/direct/SteadyHeads.ts"

const head = (digit: string): `0x${string}` => `0x${digit.repeat(64)}`

it.effect("recalls the head that two looks after each other saw, for half a second, each chain's apart", () =>
  Effect.gen(function* () {
    const { note, recall } = yield* SteadyHeads
    assert.isUndefined(yield* recall(1))
    yield* note(1, head("a"))
    assert.isUndefined(yield* recall(1))
    yield* note(1, head("a"))
    assert.strictEqual(yield* recall(1), head("a"))
    assert.isUndefined(yield* recall(10))
    yield* TestClock.adjust("499 millis")
    assert.strictEqual(yield* recall(1), head("a"))
    yield* TestClock.adjust("1 millis")
    assert.isUndefined(yield* recall(1))
    yield* note(1, head("b"))
    assert.isUndefined(yield* recall(1))
    yield* note(1, head("b"))
    assert.strictEqual(yield* recall(1), head("b"))
  }).pipe(Effect.provide(SteadyHeads.layer))
)
