/** Chains of which recovery waited for an answer in vain: they are asked again after a while, and for one plan first, so that others' plans wait for them but once. */
import { Context, Effect, Layer } from "effect"
import { steadyMillis } from "../values/SteadyClock.ts"

/** What tells nothing sooner keeps nobody waiting. */
const SILENT_MILLIS = 2_000
const REST_MILLIS = 10_000

interface OfPlan {
  readonly planId: string
}

interface Failed {
  readonly _tag: string
}

const ofFirstPlan = <Step extends OfPlan>(steps: ReadonlyArray<Step>): ReadonlyArray<Step> =>
  steps.filter(({ planId }) => planId === steps[0]?.planId)

const makeSilentChains = () => {
  const restsUntil = new Map<number, number>()

  /** Nothing of a chain that rests; while one plan shows whether it answers again, it rests for all others. */
  const toAsk = <Step extends OfPlan>(chainId: number, steps: ReadonlyArray<Step>, now: number) => {
    const until = restsUntil.get(chainId)
    if (until === undefined) return steps
    if (now < until) return []
    restsUntil.set(chainId, now + REST_MILLIS)
    return ofFirstPlan(steps)
  }

  const sparing =
    <Step extends OfPlan, A, E extends Failed, R>(
      see: (chainId: number, steps: ReadonlyArray<Step>) => Effect.Effect<Array<A>, E, R>
    ) =>
    (chainId: number, steps: ReadonlyArray<Step>): Effect.Effect<Array<A>, E, R> =>
      Effect.flatMap(Effect.clock, clock => {
        const began = steadyMillis(clock)
        const asked = toAsk(chainId, steps, began)
        if (asked.length === 0) return Effect.succeed([])
        const note = (hasTold: boolean) =>
          Effect.sync(() => {
            const now = steadyMillis(clock)
            if (hasTold || now - began < SILENT_MILLIS) restsUntil.delete(chainId)
            else restsUntil.set(chainId, now + REST_MILLIS)
          })
        return see(chainId, asked).pipe(
          Effect.tap(told => note(told.length > 0)),
          Effect.tapError(({ _tag }) => note(_tag === "RPC_INVALID_RESPONSE"))
        )
      })
  return { sparing }
}

export class SilentChains extends Context.Tag("dispatch/SilentChains")<
  SilentChains,
  ReturnType<typeof makeSilentChains>
>() {
  static readonly layer = Layer.sync(SilentChains, makeSilentChains)
}
