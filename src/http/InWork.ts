/** Bounds the verified requests that one process works on at a time, and apart from them the bodies that it waits for. */
import { Context, Effect, Layer } from "effect"
import { ServiceBusy } from "../accounts/refusals.ts"
import { Settings } from "../settings/Settings.ts"

type Bounded = <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | ServiceBusy, R>

const places = (limit: number) => {
  let taken = 0
  const enter = Effect.suspend(() => {
    if (taken >= limit) return Effect.fail(new ServiceBusy({ retryAfterSeconds: 1, context: { limit } }))
    taken += 1
    return Effect.void
  })
  const leave = Effect.sync(() => {
    taken -= 1
  })
  const within: Bounded = work =>
    Effect.acquireUseRelease(
      enter,
      () => work,
      () => leave
    )
  return { within, count: Effect.sync(() => taken) }
}

export class InWork extends Context.Tag("http/InWork")<
  InWork,
  {
    readonly within: Bounded
    /** Slow bodies of nobody's use up no place of those who work. */
    readonly reading: Bounded
    readonly count: Effect.Effect<number>
  }
>() {
  static readonly layer = Layer.effect(
    InWork,
    Effect.map(Settings, ({ maximumInWork }) => ({
      ...places(maximumInWork),
      reading: places(maximumInWork).within
    }))
  )
}
