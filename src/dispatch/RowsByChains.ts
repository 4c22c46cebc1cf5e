/** Looks at a page's rows by the chains that they wait for, so that a chain that does not answer keeps the rows of no other one waiting. */
import { Array, Duration, Effect, Fiber, FiberMap } from "effect"

export interface DueRow {
  readonly id: string
  /** Rows with the same wait for the same chains. */
  readonly chains: string
}

type Look<R> = (ids: ReadonlyArray<string>) => Effect.Effect<void, never, R>

interface Begun {
  readonly chains: string
  readonly fiber: Fiber.Fiber<unknown, unknown>
}

const ended = (begun: ReadonlyArray<Begun>) => Fiber.awaitAll(begun.map(({ fiber }) => fiber))

/** Less than a round trip waits for an answer, more than a chain that answers takes. */
const PATIENCE = Duration.seconds(3)

/** Beyond these a page waits for whatever it began, as long as that takes. */
const MOST_UNDERWAY = 64

/** A page ends once its rows are looked at, but for those of chains that keep it waiting: the next pages go on beside them, and leave further rows of these chains to their next turn. */
export const rowsByChains = Effect.fnUntraced(function* (patience: Duration.Duration = PATIENCE) {
  const underway = yield* FiberMap.make<string>()
  const slow = new Set<string>()

  const begin = <R>(chains: string, rows: ReadonlyArray<DueRow>, look: Look<R>) =>
    Effect.timed(look(rows.map(({ id }) => id))).pipe(
      Effect.map(([took]) => Duration.lessThan(took, patience) && slow.delete(chains)),
      work => FiberMap.run(underway, chains, work),
      Effect.map((fiber): Begun => ({ chains, fiber }))
    )

  /** Of the chains that kept no page waiting before. */
  const awaited = Effect.fnUntraced(function* (begun: ReadonlyArray<Begun>) {
    const patient = begun.filter(({ chains }) => !slow.has(chains))
    const isFull = (yield* FiberMap.size(underway)) > MOST_UNDERWAY
    yield* isFull ? ended(begun) : Effect.timeoutOption(ended(patient), patience)
    for (const { chains } of patient) if (FiberMap.unsafeHas(underway, chains)) slow.add(chains)
  })

  return <R>(page: ReadonlyArray<DueRow>, look: Look<R>) =>
    Effect.forEach(
      Object.entries(Array.groupBy(page, ({ chains }) => chains)).filter(
        ([chains]) => !FiberMap.unsafeHas(underway, chains)
      ),
      ([chains, rows]) => begin(chains, rows, look)
    ).pipe(Effect.flatMap(awaited))
})
