/** Looks at claimed rows by the chains that they wait for, so that a chain that does not answer keeps the rows of no other one waiting. */
import { Array, Clock, Duration, Effect, Fiber, FiberSet, Metric } from "effect"

export interface DueRow {
  readonly id: string
  /** Rows with the same wait for the same chains. */
  readonly chains: string
}

type Look<R> = (ids: ReadonlyArray<string>) => Effect.Effect<void, never, R>

export interface RowLooks {
  readonly worker: string
  /** Less than a round trip waits for an answer, more than a chain that answers takes. */
  readonly patience?: Duration.Duration | undefined
}

const PATIENCE = Duration.seconds(3)

const LOOKED_AT_TOGETHER = 50

/** After a part for as long as it took, and no longer than this: what it takes beyond that it waits for its chain. */
const MOST_REST = Duration.seconds(2)

/** Of one chain; others are left to a later turn. */
const MOST_WAITING = 10_000

/** Beyond these a page waits for whatever it began, as long as that takes. */
const MOST_UNDERWAY = 64

export const oldestWaiting = Metric.gauge("service_sweep_waiting_seconds", {
  description: "For how long the row that waits longest was claimed and is not looked at"
})

/** Those of one chain, with when they were claimed, the oldest first. */
type Waiting = Map<string, number>

const addTo = (waiting: Waiting, rows: ReadonlyArray<DueRow>, now: number): void => {
  const added = rows.filter(({ id }) => !waiting.has(id)).slice(0, MOST_WAITING - waiting.size)
  for (const { id } of added) waiting.set(id, now)
}

const firstOf = (waiting: Waiting): ReadonlyArray<string> =>
  Array.fromIterable(waiting.keys()).slice(0, LOOKED_AT_TOGETHER)

const showOldest = (worker: string, waitingFor: ReadonlyMap<string, Waiting>) =>
  Effect.map(Clock.currentTimeMillis, now => {
    const since = [...waitingFor.values()].map(waiting => waiting.values().next().value ?? now)
    Metric.tagged(oldestWaiting, "worker", worker).unsafeUpdate((now - Math.min(now, ...since)) / 1000, [])
  })

/** A page ends once its rows are looked at, but for those of chains that keep it waiting: these are looked at one part after another, beside the next pages. */
export const rowsByChains = Effect.fnUntraced(function* ({ worker, patience = PATIENCE }: RowLooks) {
  const underway = yield* FiberSet.make()
  const waitingFor = new Map<string, Waiting>()
  const slow = new Set<string>()
  const show = showOldest(worker, waitingFor)

  const lookAtFirst = <R>(chains: string, waiting: Waiting, look: Look<R>) =>
    Effect.gen(function* () {
      const ids = firstOf(waiting)
      const [took] = yield* look(ids).pipe(
        Effect.catchAllDefect(defect => Effect.logError("rows cannot be looked at", defect)),
        Effect.timed
      )
      for (const id of ids) waiting.delete(id)
      yield* show
      if (Duration.lessThan(took, patience)) slow.delete(chains)
      if (waiting.size === 0) waitingFor.delete(chains)
      else yield* Effect.sleep(Duration.min(took, MOST_REST))
    })

  /** Ends with nothing of the chains waiting, in the same moment. */
  const lookThrough = <R>(chains: string, waiting: Waiting, look: Look<R>) =>
    lookAtFirst(chains, waiting, look).pipe(
      Effect.repeat({ while: () => waiting.size > 0 }),
      Effect.onInterrupt(() => Effect.sync(() => waitingFor.delete(chains)))
    )

  /** Where none is underway that will come to these. */
  const begin = <R>(chains: string, rows: ReadonlyArray<DueRow>, look: Look<R>) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const before = waitingFor.get(chains)
      const waiting = before ?? new Map()
      addTo(waiting, rows, now)
      if (before !== undefined) return []
      waitingFor.set(chains, waiting)
      const fiber = yield* FiberSet.run(underway, lookThrough(chains, waiting, look))
      return [{ chains, fiber }]
    })

  return <R>(page: ReadonlyArray<DueRow>, look: Look<R>) =>
    Effect.gen(function* () {
      const groups = Object.entries(Array.groupBy(page, ({ chains }) => chains))
      const begun = (yield* Effect.forEach(groups, ([chains, rows]) => begin(chains, rows, look))).flat()
      const ended = (fibers: typeof begun) => Fiber.awaitAll(fibers.map(({ fiber }) => fiber))
      const patient = begun.filter(({ chains }) => !slow.has(chains))
      const isFull = waitingFor.size > MOST_UNDERWAY
      yield* isFull ? ended(begun) : Effect.timeoutOption(ended(patient), patience)
      for (const { chains } of patient) if (waitingFor.has(chains)) slow.add(chains)
      yield* show
    })
})
