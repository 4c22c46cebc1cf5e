/** What every replica finds alike in the database, as metrics: looked at when they are asked for, and the rarer the dearer the look is. */
import { Effect, Fiber, FiberSet } from "effect"
import type { DatabaseUnavailable } from "../../database/refusals.ts"
import { Settings } from "../../settings/Settings.ts"
import { atScrape } from "../../telemetry/AtScrape.ts"
import { steadyMillis } from "../../values/SteadyClock.ts"
import { showStock } from "./StockMetrics.ts"
import { readStockInTime, type StockFigures } from "./StockRead.ts"

const LASTS_MS = 5_000
/** A look takes no more than a fiftieth of one connection's time, unless the figures became older than this for it. */
const REST_PER_LOOK = 49
const RESTS_AT_MOST_MS = 60_000
/** Who asks for metrics waits no longer for a look that is under way. */
const AWAITED = "1 second"

interface Taken {
  readonly figures: StockFigures
  readonly at: number
}

/** Gives the effect that has the figures looked at, where they are due. */
export const makeStock = Effect.gen(function* () {
  const clock = yield* Effect.clock
  const { sponsorship } = yield* Settings
  /** Quotes are due nowhere where there is no provider to ask about them. */
  const own = (figures: StockFigures): StockFigures =>
    sponsorship.providerUrl === undefined ? { ...figures, due: { ...figures.due, quotes: null } } : figures
  const fork = yield* FiberSet.runtime(yield* FiberSet.make<void, DatabaseUnavailable>())<
    Effect.Effect.Context<typeof readStockInTime>
  >()
  const startedAt = steadyMillis(clock)
  let taken: Taken | undefined
  let running: Fiber.RuntimeFiber<void, DatabaseUnavailable> | undefined
  let dueAt = startedAt

  const rest = (began: number) =>
    Effect.sync(() => {
      const at = steadyMillis(clock)
      dueAt = at + Math.min(RESTS_AT_MOST_MS, Math.max(LASTS_MS, REST_PER_LOOK * (at - began)))
    })

  const look = Effect.suspend(() => {
    const began = steadyMillis(clock)
    const looked = Effect.map(readStockInTime, figures => {
      taken = { figures: own(figures), at: steadyMillis(clock) }
    })
    return Effect.ensuring(looked, rest(began))
  })

  yield* atScrape(() => {
    const now = steadyMillis(clock)
    showStock(taken?.figures, (now - (taken?.at ?? startedAt)) / 1_000)
  })

  return Effect.suspend(() => {
    const isRunning = running !== undefined && running.unsafePoll() === null
    if (!isRunning && steadyMillis(clock) < dueAt) return Effect.void
    const fiber = isRunning && running !== undefined ? running : fork(look)
    running = fiber
    return Effect.ignore(Effect.timeoutOption(Effect.exit(Fiber.join(fiber)), AWAITED))
  })
})
