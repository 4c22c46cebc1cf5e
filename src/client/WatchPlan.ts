/** Follows a plan until nothing more will happen to it by itself. */
import type { Plan, Step } from "../plans/Plan.ts"
import type { ServiceClock } from "./ServiceClock.ts"
import { hasLapsed, staysUnknown } from "./StepStanding.ts"
import { realSystem, type System } from "./System.ts"

export interface StepChange {
  readonly step: Step
  readonly before: Step | undefined
  readonly plan: Plan
}

export interface WatchOptions {
  /** Each step at first, and when it changed. */
  readonly onProgress?: (change: StepChange) => void
  /** By default when the plan `isSettled`. */
  readonly until?: (plan: Plan) => boolean
  readonly signal?: AbortSignal | undefined
}

const FIRST_MILLIS = 500
const LONGEST_MILLIS = 8_000
const GROWTH = 1.5

const isUnderWay = (step: Step): boolean => {
  const { state, semantic } = step
  if (staysUnknown(step) || hasLapsed(step)) return false
  if (state === "confirmed") return semantic?.status === "unknown"
  return state !== "ready" && state !== "blocked" && state !== "reverted"
}

/** Whether nothing more happens to a plan by itself; `nowMillis` is Unix milliseconds on the server's clock. */
export const isSettled = (
  { status, expiresAt, steps }: Plan,
  nowMillis: number = realSystem.now()
): boolean =>
  status === "transactions_confirmed" ||
  status === "blocked" ||
  status === "expired" ||
  (expiresAt <= nowMillis && !steps.some(isUnderWay))

const visible = (step: Step): string =>
  JSON.stringify([step.state, step.dispatch?.status, step.receipt?.confirmations, step.semantic?.status])

interface Looking<Shown> {
  readonly look: () => Promise<Shown>
  /** Whether something changed. */
  readonly isNews: (shown: Shown) => boolean
  readonly isOver: (shown: Shown) => boolean
  /** In milliseconds, where the service tells when to look again. */
  readonly pauseOf?: (shown: Shown) => number | undefined
}

/** Looks when the service says, or else with growing pauses that start over whenever something changes. */
export const lookUntil = async <Shown>(
  { look, isNews, isOver, pauseOf }: Looking<Shown>,
  system: System,
  signal: AbortSignal | undefined
): Promise<Shown> => {
  let pause = FIRST_MILLIS
  for (;;) {
    const shown = await look()
    pause = isNews(shown) ? FIRST_MILLIS : Math.min(pause * GROWTH, LONGEST_MILLIS)
    if (isOver(shown)) return shown
    await system.sleep(pauseOf?.(shown) ?? pause, signal)
  }
}

export const watchPlan = (
  refresh: () => Promise<Plan>,
  system: System,
  { onProgress, until, signal }: WatchOptions,
  clock: Pick<ServiceClock, "offsetMillis"> = { offsetMillis: 0 }
): Promise<Plan> => {
  let seen: ReadonlyArray<Step> = []
  const isNews = (plan: Plan): boolean => {
    const changed = plan.steps.filter(step => {
      const before = seen[step.index]
      return before === undefined || visible(before) !== visible(step)
    })
    for (const step of changed) onProgress?.({ step, before: seen[step.index], plan })
    seen = plan.steps
    return changed.length > 0
  }
  const isOver = (plan: Plan) => until?.(plan) ?? isSettled(plan, system.now() + clock.offsetMillis)
  return lookUntil({ look: refresh, isNews, isOver }, system, signal)
}
