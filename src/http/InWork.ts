/** Bounds the verified requests that one process works on at a time, and apart from them the bodies that it waits for. */
import { Context, Effect, Layer } from "effect"
import { ServiceBusy } from "../accounts/refusals.ts"
import { Settings } from "../settings/Settings.ts"

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

export class InWork extends Context.Tag("http/InWork")<
  InWork,
  {
    /** Takes a place until the occupant is released, which its answer does. */
    readonly enter: (occupant: Occupant) => Effect.Effect<void, ServiceBusy>
    /** Slow bodies of nobody's use up no place of those who work. */
    readonly reading: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | ServiceBusy, R>
    readonly count: Effect.Effect<number>
  }
>() {
  static readonly layer = Layer.effect(
    InWork,
    Effect.map(Settings, ({ maximumInWork }) => {
      const working = places(maximumInWork)
      const reading = places(maximumInWork)
      return {
        enter: occupant =>
          Effect.map(working.enter, () => {
            occupant.release = working.leave
          }),
        reading: work =>
          Effect.acquireUseRelease(
            reading.enter,
            () => work,
            () => Effect.sync(reading.leave)
          ),
        count: working.count
      }
    })
  )
}
