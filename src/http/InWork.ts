/** Bounds the verified requests that one process works on at a time, and apart from them the bodies that it waits for. */
import { type Clock, Context, Deferred, Effect, FiberId, Layer } from "effect"
import { ServiceBusy } from "../accounts/refusals.ts"
import { Settings } from "../settings/Settings.ts"
import { BodyTimeout } from "./refusals.ts"

const SLOW_MS = 2_000

interface Occupant {
  release: (() => void) | undefined
}

const places = (limit: number) => {
  let taken = 0
  const enter = Effect.suspend(() => {
    if (taken >= limit) return Effect.fail(new ServiceBusy({ retryAfterSeconds: 1, context: { limit } }))
    taken += 1
    return Effect.void
  })
  const leave = () => {
    taken -= 1
  }
  return { enter, leave, count: Effect.sync(() => taken) }
}

interface Reader {
  readonly since: number
  readonly giveWay: Deferred.Deferred<never, BodyTimeout>
}

const outpaced = new BodyTimeout({ detail: "The body came too slowly while others waited for its place." })

/** A full house lets the slowest go for who comes, so that bodies which never end keep out nobody's that do. */
const readers = (limit: number, clock: Clock.Clock) => {
  const all = new Set<Reader>()
  const enter = Effect.suspend(() => {
    const since = clock.unsafeCurrentTimeMillis()
    const [oldest] = all
    if (all.size >= limit) {
      if (oldest === undefined || since - oldest.since < SLOW_MS)
        return Effect.fail(new ServiceBusy({ retryAfterSeconds: 1, context: { limit } }))
      all.delete(oldest)
      Deferred.unsafeDone(oldest.giveWay, Effect.fail(outpaced))
    }
    const reader: Reader = { since, giveWay: Deferred.unsafeMake(FiberId.none) }
    all.add(reader)
    return Effect.succeed(reader)
  })
  const leave = (reader: Reader) => Effect.sync(() => all.delete(reader))
  return <A, E, R>(work: Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(enter, ({ giveWay }) => Effect.raceFirst(work, Deferred.await(giveWay)), leave)
}

export class InWork extends Context.Tag("http/InWork")<
  InWork,
  {
    /** Takes a place until the occupant is released, which its answer does. */
    readonly enter: (occupant: Occupant) => Effect.Effect<void, ServiceBusy>
    /** Slow bodies of nobody's use up no place of those who work. */
    readonly reading: <A, E, R>(
      work: Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | ServiceBusy | BodyTimeout, R>
    readonly count: Effect.Effect<number>
  }
>() {
  static readonly layer = Layer.effect(
    InWork,
    Effect.map(Effect.all([Settings, Effect.clock]), ([{ maximumInWork }, clock]) => {
      const working = places(maximumInWork)
      return {
        enter: occupant =>
          Effect.map(working.enter, () => {
            occupant.release = working.leave
          }),
        reading: readers(maximumInWork, clock),
        count: working.count
      }
    })
  )
}
