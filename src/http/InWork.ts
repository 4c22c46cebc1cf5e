/** Bounds the verified requests that one process works on at a time, and apart from them the bodies that it waits for. */
import { Context, Effect, Layer } from "effect"
import { ServiceBusy } from "../accounts/refusals.ts"
import { Settings } from "../settings/Settings.ts"
import { type Deadlines, makeDeadlines } from "../values/Deadlines.ts"
import { BodyTimeout } from "./refusals.ts"

const SLOW_MS = 2_000
export const BODY_DEADLINE_MS = 15_000

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

/** Begins to read, calls `finish` at its end, and is stopped by what it returned. */
export type Reading<A, E> = (finish: (result: Effect.Effect<A, E>) => void) => () => void

interface Reader {
  readonly since: number
  readonly giveWay: () => void
}

const outpaced = new BodyTimeout({ detail: "The body came too slowly while others waited for its place." })

/** A full house lets the slowest go for who comes, so that bodies which never end keep out nobody's that do. */
const readers = (limit: number, { now, watch }: Deadlines) => {
  const all = new Set<Reader>()

  const hasRoom = (): boolean => {
    const [oldest] = all
    if (all.size < limit) return true
    if (oldest === undefined || now() - oldest.since < SLOW_MS) return false
    oldest.giveWay()
    return true
  }

  return <A, E>(read: Reading<A, E>) =>
    Effect.async<A, E | ServiceBusy | BodyTimeout>(resume => {
      if (!hasRoom())
        return resume(Effect.fail(new ServiceBusy({ retryAfterSeconds: 1, context: { limit } })))
      const end = (result: Effect.Effect<A, E | BodyTimeout>) => {
        if (!all.delete(reader)) return
        unwatch()
        stop()
        resume(result)
      }
      const reader = { since: now(), giveWay: () => end(Effect.fail(outpaced)) }
      all.add(reader)
      const unwatch = watch(reader.since + BODY_DEADLINE_MS, () => end(Effect.fail(new BodyTimeout())))
      const stop = read(end)
      return Effect.sync(() => end(Effect.interrupt))
    })
}

export class InWork extends Context.Tag("http/InWork")<
  InWork,
  {
    /** Takes a place until the occupant is released, which its answer does. */
    readonly enter: (occupant: Occupant) => Effect.Effect<void, ServiceBusy>
    /** Slow bodies of nobody's use up no place of those who work. */
    readonly reading: <A, E>(read: Reading<A, E>) => Effect.Effect<A, E | ServiceBusy | BodyTimeout>
    readonly count: Effect.Effect<number>
  }
>() {
  static readonly layer = Layer.scoped(
    InWork,
    Effect.map(Effect.all([Settings, makeDeadlines]), ([{ maximumInWork }, deadlines]) => {
      const working = places(maximumInWork)
      return {
        enter: occupant =>
          Effect.map(working.enter, () => {
            occupant.release = working.leave
          }),
        reading: readers(maximumInWork, deadlines),
        count: working.count
      }
    })
  )
}
