import { Cause, Deferred, Effect, Exit, Option } from "effect"
import { expect, test } from "vitest"
import { forEachAtOnce } from "../../src/values/ForEachAtOnce.ts"

test.each(["", "a", "abc"])("%j: each with its place, in their order", async text => {
  const items = text.split("")
  const told = await Effect.runPromise(
    forEachAtOnce(items, (item, index) => Effect.succeed(`${index}${item}`))
  )
  expect(told).toEqual(items.map((item, index) => `${index}${item}`))
})

test("several begin before any has to end", async () => {
  const met = await Effect.runPromise(
    Effect.gen(function* () {
      const meeting = yield* Deferred.make<string>()
      return yield* forEachAtOnce(["waits", "gives"], name =>
        name === "waits" ? Deferred.await(meeting) : Effect.as(Deferred.succeed(meeting, "met"), name)
      )
    })
  )
  expect(met).toEqual(["met", "gives"])
})

test.each([[["a"]], [["a", "b"]]])("%j: one that fails ends all", async items => {
  const exit = await Effect.runPromiseExit(
    forEachAtOnce(items, item => (item === items.at(-1) ? Effect.fail("no") : Effect.never))
  )
  const failure = Exit.isFailure(exit) ? Cause.failureOption(exit.cause) : Option.none()
  expect(failure).toEqual(Option.some("no"))
})
