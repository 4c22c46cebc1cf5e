/** Bounds the signed requests that one process works on at a time. */
import { Context, Effect, Layer } from "effect"
import { ServiceBusy } from "../accounts/refusals.ts"
import { Settings } from "../settings/Settings.ts"

export class InWork extends Context.Tag("http/InWork")<
  InWork,
  {
    readonly within: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E | ServiceBusy, R>
    readonly count: Effect.Effect<number>
  }
>() {
  static readonly layer = Layer.effect(
    InWork,
    Effect.map(Settings, ({ maximumInWork }) => {
      let running = 0
      const enter = Effect.suspend(() => {
        if (running >= maximumInWork)
          return Effect.fail(new ServiceBusy({ retryAfterSeconds: 1, context: { limit: maximumInWork } }))
        running += 1
        return Effect.void
      })
      const leave = Effect.sync(() => {
        running -= 1
      })
      return {
        within: work =>
          Effect.acquireUseRelease(
            enter,
            () => work,
            () => leave
          ),
        count: Effect.sync(() => running)
      }
    })
  )
}
