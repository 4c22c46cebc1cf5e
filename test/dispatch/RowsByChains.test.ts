import { Deferred, Duration, Effect, Metric, type Scope, TestClock, TestContext } from "effect"
import { assert, describe, it } from "vitest"
import { type DueRow, oldestWaiting, rowsByChains } from "../../src/dispatch/RowsByChains.ts"

const PATIENCE = Duration.seconds(3)
const LONG = Duration.hours(1)

const LATE = Duration.seconds(5)
const REST = Duration.seconds(2)

const waitingSeconds = Effect.map(
  Metric.value(Metric.tagged(oldestWaiting, "worker", "test")),
  ({ value }) => value
)

const row = (id: string, chains: string): DueRow => ({ id, chains })

/** Rows of chain 10 are looked at until the latch opens, those of all others at once. */
const bench = Effect.gen(function* () {
  const looked: Array<string> = []
  const done: Array<string> = []
  let latch = yield* Deferred.make<void>()
  const look = (ids: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      looked.push(...ids)
      if (ids.some(id => id.startsWith("silent"))) yield* Deferred.await(latch)
      if (ids.some(id => id.startsWith("late"))) yield* Effect.sleep(LATE)
      if (ids.includes("broken")) yield* Effect.dieMessage("broken")
      done.push(...ids)
    })
  const page = yield* rowsByChains({ worker: "test", patience: PATIENCE })
  let ended = 0
  const turn = (...rows: ReadonlyArray<DueRow>) =>
    page(rows, look).pipe(
      Effect.tap(() => Effect.sync(() => ended++)),
      Effect.fork,
      Effect.zipRight(TestClock.adjust(0))
    )
  const answers = Effect.gen(function* () {
    yield* Deferred.succeed(latch, undefined)
    yield* TestClock.adjust(0)
    latch = yield* Deferred.make<void>()
  })
  return { looked, done, turn, answers, ended: () => ended }
})

const run = <A>(test: Effect.Effect<A, never, Scope.Scope>) =>
  Effect.runPromise(Effect.scoped(test).pipe(Effect.provide(TestContext.TestContext)))

const SILENT = "10"
const OTHER = "31337"

describe("a page of rows by chains", () => {
  it("ends once all are looked at", () =>
    run(
      Effect.gen(function* () {
        const { turn, looked, ended } = yield* bench
        yield* turn(row("a", OTHER), row("b", `${SILENT},${OTHER}`))
        assert.deepStrictEqual(looked, ["a", "b"])
        assert.strictEqual(ended(), 1)
      })
    ))

  it("waits for a silent chain no longer than its patience, and the next page not at all", () =>
    run(
      Effect.gen(function* () {
        const { turn, looked, done, ended } = yield* bench
        yield* turn(row("silent 1", SILENT), row("a", OTHER))
        assert.deepStrictEqual(done, ["a"])
        assert.strictEqual(ended(), 0)
        yield* TestClock.adjust(PATIENCE)
        assert.strictEqual(ended(), 1)
        yield* turn(row("silent 2", SILENT), row("b", OTHER))
        assert.strictEqual(ended(), 2)
        assert.deepStrictEqual(looked, ["silent 1", "a", "b"])
      })
    ))

  it("has further rows of a silent chain looked at once it answers, each once", () =>
    run(
      Effect.gen(function* () {
        const { turn, looked, answers } = yield* bench
        yield* turn(row("silent 1", SILENT))
        yield* TestClock.adjust(PATIENCE)
        for (const id of ["silent 1", "silent 2", "silent 3", "silent 2"]) yield* turn(row(id, SILENT))
        yield* answers
        yield* TestClock.adjust(REST)
        assert.deepStrictEqual(looked, ["silent 1", "silent 2", "silent 3"])
      })
    ))

  it("has those of a chain that answers late looked at by fifties, with a short rest between", () =>
    run(
      Effect.gen(function* () {
        const { turn, done } = yield* bench
        const rows = Array.from({ length: 300 }, (_, number) => row(`late ${number}`, SILENT))
        for (let first = 0; first < 300; first += 50) yield* turn(...rows.slice(first, first + 50))
        for (let parts = 1; parts <= 6; parts++) {
          yield* TestClock.adjust(LATE)
          assert.strictEqual(done.length, 50 * parts)
          yield* TestClock.adjust(REST)
          assert.strictEqual(done.length, 50 * parts)
        }
        assert.strictEqual(new Set(done).size, 300)
      })
    ))

  it("tells for how long the row that waits longest was not looked at", () =>
    run(
      Effect.gen(function* () {
        const { turn, answers } = yield* bench
        yield* turn(row("silent 1", SILENT))
        yield* TestClock.adjust(LONG)
        yield* turn(row("a", OTHER))
        assert.strictEqual(yield* waitingSeconds, 3_600)
        yield* answers
        assert.strictEqual(yield* waitingSeconds, 0)
      })
    ))

  it("is ended by no look that dies, and the next one of its chain is made", () =>
    run(
      Effect.gen(function* () {
        const { turn, looked, ended } = yield* bench
        yield* turn(row("broken", OTHER))
        yield* turn(row("a", OTHER))
        assert.deepStrictEqual(looked, ["broken", "a"])
        assert.strictEqual(ended(), 2)
      })
    ))

  it("asks it again once what was asked has ended, and waits for it again once it is quick", () =>
    run(
      Effect.gen(function* () {
        const { turn, looked, answers, ended } = yield* bench
        yield* turn(row("silent 1", SILENT))
        yield* TestClock.adjust(LONG)
        yield* answers
        yield* turn(row("silent 2", SILENT))
        assert.strictEqual(ended(), 2)
        assert.deepStrictEqual(looked, ["silent 1", "silent 2"])
        yield* answers
        yield* turn(row("silent 3", SILENT))
        assert.strictEqual(ended(), 2)
        yield* answers
        assert.strictEqual(ended(), 3)
      })
    ))

  it("waits for whatever it began where too much is underway", () =>
    run(
      Effect.gen(function* () {
        const { turn, answers, ended } = yield* bench
        const many = Array.from({ length: 65 }, (_, chain) => row(`silent ${chain}`, String(chain)))
        yield* turn(...many)
        yield* TestClock.adjust(LONG)
        assert.strictEqual(ended(), 0)
        yield* answers
        assert.strictEqual(ended(), 1)
      })
    ))
})
