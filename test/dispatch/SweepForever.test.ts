import { type Duration, Effect, Fiber, Ref, TestClock, TestContext } from "effect"
import { assert, describe, it } from "vitest"
import { sweepForever } from "../../src/dispatch/SweepForever.ts"
import { loggedBy } from "../support/LogLines.ts"

const PAGE = 20

/** How often was swept in ten seconds, where each sweep finds so many and takes so long, and all else takes such a share of the process. */
const sweeps = (
  found: number,
  pace: Omit<Parameters<typeof sweepForever>[1], "page" | "worker">,
  takes: Duration.DurationInput = 0,
  share = 0
): Promise<number> =>
  Effect.gen(function* () {
    const count = yield* Ref.make(0)
    const counted = Ref.update(count, before => before + 1)
    const sweep = Effect.as(Effect.zipRight(counted, Effect.sleep(takes)), found)
    const worker = yield* Effect.fork(
      sweepForever(sweep, { worker: "tested", page: PAGE, ...pace }, () => () => share)
    )
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

  it("takes half of a process that has nothing else to do while pages are full", async () => {
    assert.strictEqual(await sweeps(PAGE, { idle: "5 seconds" }, "500 millis"), 10)
    assert.strictEqual(await sweeps(PAGE, { between: "1 second", idle: "5 seconds" }, "2 seconds"), 3)
  })

  it("rests for two seconds of work at most, for what a page takes beyond it waited for an answer", async () => {
    assert.strictEqual(await sweeps(PAGE, { idle: "5 seconds" }, "4 seconds"), 2)
  })

  /** A quarter of the time from the second page on, and no less than a twentieth. */
  it("takes half of what all else leaves", async () => {
    assert.strictEqual(await sweeps(PAGE, { idle: "5 seconds" }, "250 millis", 0.5), 11)
    assert.strictEqual(await sweeps(PAGE, { idle: "5 seconds" }, "100 millis", 1), 6)
  })

  it("says that its rounds fail, and of what, and when they end well again", async () => {
    const rounds = [
      Effect.fail({ _tag: "DATABASE_UNAVAILABLE" }),
      Effect.fail({ _tag: "DATABASE_UNAVAILABLE" }),
      Effect.fail({ _tag: "RPC_UNAVAILABLE" }),
      Effect.succeed(0),
      Effect.succeed(0)
    ]
    const left = rounds.values()
    const sweep = Effect.suspend(() => left.next().value ?? Effect.never)
    const lines = await loggedBy(
      Effect.gen(function* () {
        yield* Effect.fork(sweepForever(sweep, { worker: "tested", page: PAGE, idle: "1 second" }))
        yield* TestClock.adjust("9 seconds")
      }).pipe(Effect.scoped, Effect.provide(TestContext.TestContext))
    )
    const fail = { level: "WARN", text: "rounds of the worker fail", worker: "tested" }
    assert.deepStrictEqual(lines, [
      { ...fail, code: "DATABASE_UNAVAILABLE" },
      { ...fail, code: "RPC_UNAVAILABLE" },
      { level: "INFO", text: "rounds of the worker end well again", worker: "tested" }
    ])
  })
})
