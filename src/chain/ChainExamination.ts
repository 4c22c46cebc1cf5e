/** How a chain's endpoints are now: each is asked for its head at most every five seconds, and one that does not answer in time is hung. */
import { type Clock, Effect, Fiber, FiberSet, type Scope } from "effect"
import { steadyMillis } from "../values/SteadyClock.ts"
import type { CallBudget } from "./CallBudget.ts"
import type { ChainHealth } from "./ChainClient.ts"
import type { Station } from "./Station.ts"

const LOOK_LASTS_MS = 5_000

interface Look {
  readonly at: number
  readonly fiber: Fiber.RuntimeFiber<boolean>
}

interface Examined {
  readonly chainId: number
  readonly stations: ReadonlyArray<Station>
}

const stateOf = (serving: number, all: number): ChainHealth["state"] => {
  if (serving === 0) return "unhealthy"
  return serving < all ? "degraded" : "healthy"
}

/** Of those that serve, in the operator's order; else what any of them last showed. */
const told = (
  { chainId, stations }: Examined,
  serving: ReadonlyArray<Station>,
  clock: Clock.Clock
): ChainHealth => {
  const [first] = serving
  const heads = (first === undefined ? stations : [first]).flatMap(({ facts }) => facts().head ?? [])
  const seconds = clock.unsafeCurrentTimeMillis() / 1_000
  const ages = heads.map(({ timestamp }) => Math.max(0, Math.round(seconds - Number(timestamp))))
  const silent = stations.map(({ facts }) => Math.round((steadyMillis(clock) - facts().answeredAt) / 1_000))
  return {
    chainId,
    state: stateOf(serving.length, stations.length),
    headAgeSeconds: ages.length === 0 ? null : Math.min(...ages),
    latencyMs: first?.facts().latencyMs ?? null,
    silentSeconds: Math.min(...silent)
  }
}

/** A look at an endpoint goes on after its deadline, so that its end is known, and there is never a second beside it. */
export const makeExamination = (
  examined: Examined,
  { note }: CallBudget,
  deadlineMillis: number
): Effect.Effect<Effect.Effect<ChainHealth>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const clock = yield* Effect.clock
    const fork = yield* FiberSet.runtime(yield* FiberSet.make<boolean>())<never>()
    const looks = new Map<Station, Look>()

    const lookAt = (station: Station, now: number): Look => {
      const last = looks.get(station)
      const lasts = last !== undefined && (last.fiber.unsafePoll() === null || now - last.at < LOOK_LASTS_MS)
      if (lasts) return last
      const look = { at: now, fiber: fork(Effect.isSuccess(station.open([station.head], note))) }
      looks.set(station, look)
      return look
    }

    const serves = (station: Station) =>
      Effect.suspend(() => {
        const now = steadyMillis(clock)
        const { at, fiber } = lookAt(station, now)
        return Fiber.join(fiber).pipe(
          Effect.timeoutTo({
            duration: Math.max(0, at + deadlineMillis - now),
            onTimeout: () => false,
            onSuccess: answered => answered && station.facts().failsUntil <= steadyMillis(clock)
          })
        )
      })

    const { stations } = examined
    return Effect.map(Effect.forEach(stations, serves, { concurrency: "unbounded" }), answers =>
      told(
        examined,
        stations.filter((_, index) => answers[index]),
        clock
      )
    )
  })
