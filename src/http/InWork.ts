/** Bounds the verified requests that one process works on at a time, and apart from them its new accounts and the bodies that it waits for. */
import { Context, Effect, Layer } from "effect"
import { ServiceBusy } from "../accounts/refusals.ts"
import { Settings } from "../settings/Settings.ts"
import { makeDeadlines } from "../values/Deadlines.ts"
import { type AwaitedBody, readers } from "./Reading.ts"
import type { BodyTimeout } from "./refusals.ts"

/** A quarter as many as all: fresh keys cost nothing, and new accounts wait for each other. */
const ENROLLING_SHARE = 4

interface Occupant {
  release: (() => void) | undefined
}

const places = (limit: number) => {
  let taken = 0
  const leave = () => {
    taken -= 1
  }
  /** Whoever has a place elsewhere leaves it. */
  const enter = (occupant: Occupant) =>
    Effect.suspend(() => {
      if (taken >= limit) return Effect.fail(new ServiceBusy({ retryAfterSeconds: 1, context: { limit } }))
      taken += 1
      occupant.release?.()
      occupant.release = leave
      return Effect.void
    })
  return { enter, count: Effect.sync(() => taken) }
}

export class InWork extends Context.Tag("http/InWork")<
  InWork,
  {
    /** Takes a place until the occupant is released, which its answer does. */
    readonly enter: (occupant: Occupant) => Effect.Effect<void, ServiceBusy>
    /** Moves it from there to a place of a new account. */
    readonly enroll: (occupant: Occupant) => Effect.Effect<void, ServiceBusy>
    /** Slow bodies of nobody's use up no place of those who work. */
    readonly reading: <A, E>(awaited: AwaitedBody<A, E>) => Effect.Effect<A, E | ServiceBusy | BodyTimeout>
    readonly count: Effect.Effect<number>
  }
>() {
  static readonly layer = Layer.scoped(
    InWork,
    Effect.map(Effect.all([Settings, makeDeadlines]), ([{ maximumInWork }, deadlines]) => {
      const working = places(maximumInWork)
      return {
        enter: working.enter,
        enroll: places(Math.ceil(maximumInWork / ENROLLING_SHARE)).enter,
        reading: readers(maximumInWork, deadlines),
        count: working.count
      }
    })
  )
}
