import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Option, TestClock } from "effect"
import { batching } from "../../src/database/Gathering.ts"

/** Doubles numbers; the first statement waits until it is let go, and one with a 13 fails. */
const doubling = (bound: number) =>
  Effect.gen(function* () {
    const asked: Array<ReadonlyArray<number>> = []
    const begun = yield* Deferred.make<void>()
    const gate = yield* Deferred.make<void>()
    const ask = (items: ReadonlyArray<number>): Effect.Effect<ReadonlyArray<number>, string> =>
      Effect.gen(function* () {
        asked.push(items)
        yield* Deferred.succeed(begun, undefined)
        if (asked.length === 1) yield* Deferred.await(gate)
        return items.includes(13) ? yield* Effect.fail("thirteen") : items.map(item => 2 * item)
      })
    const double = yield* batching(ask, bound)
    /** Runs up to its wait before it returns, so that what was asked is queued. */
    const askFor = (item: number) => Effect.runFork(double(item))
    const first = askFor(1)
    yield* Deferred.await(begun)
    return { asked, askFor, first, open: Deferred.succeed(gate, undefined) }
  })

describe("gathered questions", () => {
  it.scoped("go at once when nothing is under way, and together behind what is", () =>
    Effect.gen(function* () {
      const { asked, askFor, first, open } = yield* doubling(3)
      const others = [2, 3, 4, 5].map(askFor)
      assert.deepStrictEqual(asked, [[1]])
      yield* open
      assert.deepStrictEqual(yield* Effect.forEach([first, ...others], Fiber.join), [2, 4, 6, 8, 10])
      assert.deepStrictEqual(asked, [[1], [2, 3, 4], [5]])
      assert.strictEqual(yield* Fiber.join(askFor(6)), 12)
    })
  )

  it.scoped("fail alone", () =>
    Effect.gen(function* () {
      const { asked, askFor, open } = yield* doubling(10)
      const others = [2, 13, 4].map(askFor)
      yield* open
      assert.deepStrictEqual(yield* Effect.forEach(others, Fiber.await), [
        Exit.succeed(4),
        Exit.fail("thirteen"),
        Exit.succeed(8)
      ])
      assert.deepStrictEqual(asked, [[1], [2, 13, 4], [2], [13], [4]])
    })
  )

  it.scoped("fail at a bound, however many wait, where nothing answers", () =>
    Effect.gen(function* () {
      const silent = (_: ReadonlyArray<number>): Effect.Effect<ReadonlyArray<number>, string> =>
        Effect.zipRight(Effect.sleep("5 seconds"), Effect.fail("silence"))
      const ask = yield* batching(silent, 10)
      const asking = [1, 2, 3, 4, 5].map(item => Effect.runFork(ask(item)))
      /** The first alone, the others together, and each of them again. */
      for (const _ of ["first", "others", "again"]) yield* TestClock.adjust("5 seconds")
      const told = yield* Effect.forEach(asking, Fiber.poll)
      const failed = told.filter(each => Option.isSome(each) && Exit.isFailure(each.value))
      assert.lengthOf(failed, asking.length)
    })
  )

  it.scoped("are answered to the others when one of them is given up", () =>
    Effect.gen(function* () {
      const { askFor, first, open } = yield* doubling(10)
      const second = askFor(2)
      yield* Fiber.interrupt(first)
      yield* open
      assert.strictEqual(yield* Fiber.join(second), 4)
    })
  )

  it.scoped("die when an answer is missing", () =>
    Effect.gen(function* () {
      const ask = yield* batching((_: ReadonlyArray<number>) => Effect.succeed<ReadonlyArray<number>>([]), 4)
      const exit = yield* Effect.exit(ask(1))
      assert.isTrue(Exit.isFailure(exit) && exit.cause._tag === "Die")
    })
  )
})
