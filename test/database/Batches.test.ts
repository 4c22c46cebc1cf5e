import { assert, it } from "@effect/vitest"
import { Effect, Fiber, Ref, TestClock } from "effect"
import { whileFull } from "../../src/database/Batches.ts"

const FULL = 10

/** Takes three seconds for a full batch, until what there is is done. */
const work = (left: Ref.Ref<number>, begun: Ref.Ref<number>) =>
  Effect.gen(function* () {
    yield* Ref.update(begun, count => count + 1)
    yield* Effect.sleep("3 seconds")
    return yield* Ref.modify(left, count => [Math.min(count, FULL), Math.max(0, count - FULL)])
  })

it.effect("batches rest after each for as long as it took, until one is not full", () =>
  Effect.gen(function* () {
    const left = yield* Ref.make(23)
    const begun = yield* Ref.make(0)
    const counted = yield* Effect.fork(whileFull(FULL, work(left, begun)))
    const begunAfter = (seconds: number) =>
      Effect.zipRight(TestClock.adjust(`${seconds} seconds`), Ref.get(begun))
    assert.deepStrictEqual(yield* Effect.all([begunAfter(3), begunAfter(2), begunAfter(1)]), [1, 1, 2])
    assert.deepStrictEqual(yield* Effect.all([begunAfter(5), begunAfter(1)]), [2, 3])
    yield* TestClock.adjust("3 seconds")
    assert.strictEqual(yield* Fiber.join(counted), 23)
  })
)
