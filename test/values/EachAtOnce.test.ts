import { Deferred, Effect, Either, Exit, Fiber } from "effect"
import { expect, test } from "vitest"
import { eachAtOnce } from "../../src/values/EachAtOnce.ts"

const turn = Effect.promise(() => new Promise(resolve => setImmediate(resolve)))
const later = <A>(value: A) => Effect.as(turn, value)

test("answers stand where their effects stood, and a failure ends no other", async () => {
  const answers = await Effect.runPromise(
    eachAtOnce([
      later(1),
      Effect.fail("no"),
      Effect.zipRight(turn, Effect.fail("late")),
      Effect.succeed("two")
    ])
  )
  expect(answers).toEqual([Either.right(1), Either.left("no"), Either.left("late"), Either.right("two")])
})

test("answers bear the names of their effects", async () => {
  const { own, other } = await Effect.runPromise(eachAtOnce({ own: later("a"), other: Effect.fail("b") }))
  expect([own, other]).toEqual([Either.right("a"), Either.left("b")])
})

test("nothing asked is nothing answered", async () => {
  expect(await Effect.runPromise(eachAtOnce([]))).toEqual([])
  expect(await Effect.runPromise(eachAtOnce({}))).toEqual({})
})

test("all of them begin before any has to end", async () => {
  const met = await Effect.runPromise(
    Effect.gen(function* () {
      const [left, right] = [yield* Deferred.make<string>(), yield* Deferred.make<string>()]
      const give = (own: typeof left, others: typeof left, name: string) =>
        Effect.zipRight(Deferred.succeed(own, name), Deferred.await(others))
      return yield* eachAtOnce([give(left, right, "left"), give(right, left, "right")])
    })
  )
  expect(met).toEqual([Either.right("right"), Either.right("left")])
})

test("each is interrupted with its caller", async () => {
  const interrupted: Array<string> = []
  const endless = (name: string) =>
    Effect.onInterrupt(Effect.never, () => Effect.sync(() => interrupted.push(name)))
  await Effect.runPromise(
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(eachAtOnce([endless("first"), endless("second"), endless("third")]))
      yield* turn
      yield* Fiber.interrupt(fiber)
    })
  )
  expect(interrupted.toSorted()).toEqual(["first", "second", "third"])
})

test.each([0, 1])("a defect of one, here %i, is a defect of all", async place => {
  const effects = [0, 1].map(each => (each === place ? Effect.die("broken") : later(each)))
  const exit = await Effect.runPromiseExit(eachAtOnce(effects))
  expect(exit).toEqual(Exit.die("broken"))
})

test("what a fiber sets for itself stays in it", async () => {
  const spans = await Effect.runPromise(
    Effect.gen(function* () {
      const named = Effect.withSpan(
        Effect.map(Effect.currentSpan, ({ name }) => name),
        "own"
      )
      const answers = yield* eachAtOnce([named, named])
      return [answers.map(Either.getOrThrow), (yield* Effect.currentSpan).name]
    }).pipe(Effect.withSpan("caller"))
  )
  expect(spans).toEqual([["own", "own"], "caller"])
})
