import { type Duration, Effect, Fiber, Ref, TestClock, TestContext } from "effect"
import { assert, describe, it } from "vitest"
import { sweepForever } from "../../src/dispatch/SweepForever.ts"

const PAGE = 20

/** How often was swept in ten seconds, where each sweep finds so many and takes so long. */
const sweeps = (
  found: number,
  pace: Omit<Parameters<typeof sweepForever>[1], "page" | "worker">,
  takes: Duration.DurationInput = 0
): Promise<number> =>
  Effect.gen(function* () {
    const count = yield* Ref.make(0)
    const counted = Ref.update(count, before => before + 1)
    const sweep = Effect.as(Effect.zipRight(counted, Effect.sleep(takes)), found)
    const worker = yield* Effect.fork(sweepForever(sweep, { worker: "tested", page: PAGE, ...pace }))
    yield* TestClock.adjust("9500 millis")
    const swept = yield* Ref.get(count)
    yield* Fiber.interrupt(worker)
    return swept
  }).pipe(Effect.scoped, Effect.provide(TestContext.TestContext), Effect.runPromise)

describe("a worker that sweeps", () => {
  it("rests after a page that was not full", async () => {
    assert.strictEqual(await sweeps(PAGE - 1, { idle: "5 seconds" }), 2)
  })

  it("takes one full page after the other no sooner than it may, however many wait", async () => {
    assert.strictEqual(await sweeps(PAGE, { between: "1 second", idle: "5 seconds" }), 10)
  })

  it("leaves half of the time to others while pages are full", async () => {
    assert.strictEqual(await sweeps(PAGE, { idle: "5 seconds" }, "500 millis"), 10)
    assert.strictEqual(await sweeps(PAGE, { between: "1 second", idle: "5 seconds" }, "2 seconds"), 3)
  })
})
