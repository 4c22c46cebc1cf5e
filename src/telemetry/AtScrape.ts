/** Gauges as they are when somebody asks: each place that has figures brings its own up to date. */
import { Effect, type Scope } from "effect"

const showing = new Set<() => void>()

/** Until the scope closes. */
export const atScrape = (show: () => void): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => void showing.add(show)),
    () => Effect.sync(() => void showing.delete(show))
  )

export const showAll: Effect.Effect<void> = Effect.sync(() => {
  for (const show of showing) show()
})
