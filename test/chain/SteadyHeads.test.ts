import { assert, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import type { Block } from "../../src/chain/ChainClient.ts"
import { SteadyHeads } from "../../src/chain/SteadyHeads.ts"

const head = (digit: string): Block => {
  const hash = `0x${digit.repeat(64)}` as const
  return { chainId: 1, number: 1n, hash, parentHash: hash, timestamp: 1n, baseFeePerGas: null }
}

it.effect("recalls the head that two looks after each other saw, for half a second, each chain's apart", () =>
  Effect.gen(function* () {
    const { note, recall } = yield* SteadyHeads
    assert.isUndefined(yield* recall(1))
    yield* note(head("a"))
    assert.isUndefined(yield* recall(1))
    yield* note(head("a"))
    assert.deepStrictEqual(yield* recall(1), head("a"))
    assert.isUndefined(yield* recall(10))
    yield* TestClock.adjust("499 millis")
    assert.deepStrictEqual(yield* recall(1), head("a"))
    yield* TestClock.adjust("1 millis")
    assert.isUndefined(yield* recall(1))
    yield* note(head("b"))
    assert.isUndefined(yield* recall(1))
    yield* note(head("b"))
    assert.deepStrictEqual(yield* recall(1), head("b"))
  }).pipe(Effect.provide(SteadyHeads.layer))
)
