import { assert, it } from "@effect/vitest"
import { Context, Effect, Exit, Fiber } from "effect"
import { providingLast } from "../../src/values/Providing.ts"

class Mine extends Context.Tag("test/Mine")<Mine, string>() {}
class Around extends Context.Tag("test/Around")<Around, string>() {}

const both = Effect.zip(Mine, Around)

it.effect("gives services beside those that are there, before those of the same name", () =>
  Effect.gen(function* () {
    const seen = yield* providingLast(Context.make(Mine, "mine"))(both).pipe(
      Effect.provideService(Mine, "another's"),
      Effect.provideService(Around, "around")
    )
    assert.deepStrictEqual(seen, ["mine", "around"])
  })
)

it.effect("gives them to its own fiber alone", () =>
  Effect.gen(function* () {
    const waiting = yield* Effect.forEach(["one", "other"], name =>
      Effect.fork(providingLast(Context.make(Mine, name))(Effect.zipRight(Effect.yieldNow(), both)))
    )
    const exits = yield* Effect.forEach(waiting, Fiber.await)
    assert.deepStrictEqual(exits, [Exit.succeed(["one", "around"]), Exit.succeed(["other", "around"])])
    assert.isTrue((yield* Effect.serviceOption(Mine))._tag === "None")
  }).pipe(Effect.provideService(Around, "around"))
)
