import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { sharing } from "../../src/chain/Sharing.ts"

/** Each asking counts up and waits to be told its end. */
const steered = Effect.gen(function* () {
  const ends: Array<Deferred.Deferred<void, string>> = []
  let given = 0
  let abandoned = 0
  const ask = Effect.gen(function* () {
    const end = yield* Deferred.make<void, string>()
    const number = ends.push(end)
    yield* Deferred.await(end)
    given += 1
    return number
  }).pipe(Effect.onInterrupt(() => Effect.sync(() => abandoned++)))
  const shared = yield* sharing(ask)
  const asked = () => Effect.fork(shared)
  const settle = Effect.forEach(Array.from({ length: 8 }), () => Effect.yieldNow(), { discard: true })
  const end = (number: number, exit: Exit.Exit<void, string> = Exit.void) =>
    Effect.flatMap(Effect.fromNullable(ends[number - 1]), deferred => Deferred.done(deferred, exit)).pipe(
      Effect.zipRight(settle)
    )
  return { asked, end, settle, askings: () => ends.length, given: () => given, abandoned: () => abandoned }
})

describe("an answer that is shared", () => {
  it.scoped("goes to all who asked at the same moment", () =>
    Effect.gen(function* () {
      const { asked, end, settle, askings } = yield* steered
      const fibers = yield* Effect.all([asked(), asked(), asked()])
      yield* settle
      assert.strictEqual(askings(), 1)
      yield* end(1)
      assert.deepStrictEqual(yield* Fiber.join(Fiber.all(fibers)), [1, 1, 1])
    })
  )

  it.scoped("is never older than the question: who comes meanwhile shares the next one", () =>
    Effect.gen(function* () {
      const { asked, end, settle, askings } = yield* steered
      const first = yield* asked()
      yield* settle
      const later = yield* Effect.all([asked(), asked()])
      yield* settle
      assert.strictEqual(askings(), 1)
      yield* end(1)
      assert.strictEqual(yield* Fiber.join(first), 1)
      assert.strictEqual(askings(), 2)
      assert.isTrue(later.every(fiber => fiber.unsafePoll() === null))
      yield* end(2)
      assert.deepStrictEqual(yield* Fiber.join(Fiber.all(later)), [2, 2])
      const last = yield* asked()
      yield* settle
      yield* end(3)
      assert.strictEqual(yield* Fiber.join(last), 3)
    })
  )

  it.scoped("is kept from nobody by the interruption of who asked first", () =>
    Effect.gen(function* () {
      const { asked, end, settle, askings, abandoned } = yield* steered
      const [first, second] = yield* Effect.all([asked(), asked()])
      yield* settle
      yield* Fiber.interrupt(first)
      yield* end(1)
      assert.strictEqual(yield* Fiber.join(second), 1)
      assert.strictEqual(askings(), 1)
      assert.strictEqual(abandoned(), 0)
    })
  )

  it.scoped("fails those alone who waited for that one", () =>
    Effect.gen(function* () {
      const { asked, end, settle } = yield* steered
      const first = yield* Effect.all([asked(), asked()])
      yield* settle
      const later = yield* asked()
      yield* end(1, Exit.fail("no answer"))
      for (const fiber of first) assert.strictEqual(yield* Effect.flip(Fiber.join(fiber)), "no answer")
      yield* end(2)
      assert.strictEqual(yield* Fiber.join(later), 2)
    })
  )

  it.scoped("is given up when nobody waits for it, and the next who ask get theirs", () =>
    Effect.gen(function* () {
      const { asked, end, settle, askings, abandoned, given } = yield* steered
      const both = yield* Effect.all([asked(), asked()])
      yield* settle
      const later = yield* asked()
      yield* Fiber.interruptAll(both)
      yield* settle
      assert.strictEqual(abandoned(), 1)
      assert.strictEqual(askings(), 2)
      yield* end(2)
      assert.strictEqual(yield* Fiber.join(later), 2)
      assert.strictEqual(given(), 1)
    })
  )
})
