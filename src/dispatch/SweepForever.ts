/** A worker that looks again for as long as the process lives, sooner where a page was full. */
import { performance } from "node:perf_hooks"
import { Duration, Effect, Predicate, type Scope } from "effect"
import { countingRounds } from "../telemetry/Rounds.ts"

interface Pace {
  /** As operators know it. */
  readonly worker: string
  readonly page: number
  /** After a full page at least. */
  readonly between?: Duration.DurationInput
  readonly idle: Duration.DurationInput
}

/** Begins to measure; then gives which share of the time since then the process was at work. */
type Meter = () => () => number

const eventLoop: Meter = () => {
  const before = performance.eventLoopUtilization()
  return () => performance.eventLoopUtilization(before).utilization
}

const GREATEST_SHARE = 0.9

/** What a page takes beyond this it waited for a chain that does not answer; nobody else's plans wait for that twice. */
const MOST_WORK = Duration.seconds(2)

/** So long that a worker takes half of what all else leaves of the process, however much waits for it. */
const restAfter = (took: Duration.Duration, share: number): Duration.Duration =>
  Duration.times(Duration.min(took, MOST_WORK), (1 + share) / (1 - share))

const codeOf = (failure: unknown): string =>
  Predicate.hasProperty(failure, "_tag") ? String(failure._tag) : "unknown"

/** One line where rounds begin to fail, or fail otherwise, and one where they end well again. */
const tellingChanges = (worker: string) => {
  let failing: string | undefined
  return (code: string | undefined): Effect.Effect<void> =>
    Effect.suspend(() => {
      if (code === failing) return Effect.void
      failing = code
      const line =
        code === undefined
          ? Effect.logInfo("rounds of the worker end well again")
          : Effect.annotateLogs(Effect.logWarning("rounds of the worker fail"), { code })
      return Effect.annotateLogs(line, { worker })
    })
}

export const sweepForever = <E, R>(
  sweep: Effect.Effect<number, E, R>,
  { worker, page, between = 0, idle }: Pace,
  meter: Meter = eventLoop
): Effect.Effect<never, never, R | Scope.Scope> =>
  Effect.flatMap(countingRounds(worker), counting => {
    let share = 0
    const tell = tellingChanges(worker)
    const rest = (duration: Duration.DurationInput) =>
      Effect.suspend(() => {
        const measured = meter()
        return Effect.map(Effect.sleep(duration), () => {
          share = Math.min(GREATEST_SHARE, measured())
        })
      })
    return counting(sweep).pipe(
      Effect.tap(() => tell(undefined)),
      Effect.catchAll(failure => Effect.as(tell(codeOf(failure)), 0)),
      Effect.catchAllDefect(defect => Effect.as(Effect.logError("a sweep failed unforeseen", defect), 0)),
      Effect.timed,
      Effect.flatMap(([took, count]) =>
        rest(count < page ? idle : Duration.max(between, restAfter(took, share)))
      ),
      Effect.forever
    )
  })
