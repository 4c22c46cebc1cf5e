/** What lasts is measured alike however the time of day is set meanwhile. */
import { Effect, Metric, MetricState } from "effect"
import { assert, describe, it } from "vitest"
import { whileFull } from "../../src/database/Batches.ts"
import { showAll } from "../../src/telemetry/AtScrape.ts"
import { countingRounds } from "../../src/telemetry/Rounds.ts"
import { sharedFor } from "../../src/values/SteadyClock.ts"
import { setClock } from "../support/Clocks.ts"

const HOUR_MILLIS = 3_600_000

/** With what sets the clock by hours. */
const underClock = <A>(work: (set: (hours: number) => void) => Effect.Effect<A>): Promise<A> => {
  let aheadMillis = 0
  const set = (hours: number) => {
    aheadMillis = hours * HOUR_MILLIS
  }
  return Effect.runPromise(
    Effect.withClock(
      work(set),
      setClock(() => aheadMillis)
    )
  )
}

describe("a time of day that is put back", () => {
  it("leaves no look shared for longer than it lasts", async () => {
    const looks = await underClock(set =>
      Effect.gen(function* () {
        let count = 0
        const shared = yield* sharedFor(
          Effect.sync(() => ++count),
          "50 millis"
        )
        const before = yield* shared
        set(-1)
        yield* Effect.sleep("60 millis")
        return [before, yield* shared]
      })
    )
    assert.deepStrictEqual(looks, [1, 2])
  })

  it("ends no look before it is over", async () => {
    const looks = await underClock(set =>
      Effect.gen(function* () {
        let count = 0
        const shared = yield* sharedFor(
          Effect.sync(() => ++count),
          "1 hour"
        )
        const before = yield* shared
        set(-1)
        return [before, yield* shared]
      })
    )
    assert.deepStrictEqual(looks, [1, 1])
  })

  it("is the time of day of the look itself", async () => {
    const ahead = await underClock(set =>
      Effect.gen(function* () {
        const shared = yield* sharedFor(
          Effect.clockWith(clock => clock.currentTimeMillis),
          "50 millis"
        )
        set(5)
        return (yield* shared) - Date.now()
      })
    )
    assert.isAbove(ahead, 4.9 * HOUR_MILLIS)
  })
})

it("a time of day that is put forward within a batch gives its worker no longer rest", async () => {
  let left = 5
  const rows = await underClock(set =>
    whileFull(
      5,
      Effect.sync(() => {
        const taken = left
        left = 0
        set(2)
        return taken
      })
    )
  )
  assert.strictEqual(rows, 5)
})

it("a time of day that is put forward makes no worker idle", async () => {
  const idle = await underClock(set =>
    Effect.scoped(
      Effect.gen(function* () {
        yield* countingRounds("steady")
        set(3)
        yield* showAll
        const pairs = yield* Metric.snapshot
        return pairs.flatMap(({ metricKey, metricState }) =>
          metricKey.name === "service_worker_idle_seconds" &&
          metricKey.tags.some(({ value }) => value === "steady") &&
          MetricState.isGaugeState(metricState)
            ? [metricState.value]
            : []
        )
      })
    )
  )
  assert.lengthOf(idle, 1)
  assert.isBelow(Number(idle[0]), 60)
})
