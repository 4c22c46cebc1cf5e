/** What time it is by what the service tells, as far as this machine believes it. */
import type { Plan } from "../plans/Plan.ts"
import type { ServiceClock } from "./ServiceClock.ts"

const DAY_SECONDS = 86_400

export type ToldClock = Pick<ServiceClock, "offsetMillis" | "seconds">

/** The service's time, or that of the plan's own block on the chain where that is later: at most a day ahead of this machine. */
export const believedSeconds = (clock: ToldClock, { evidence }: Plan, chainId: number): number => {
  const times = evidence.filter(each => each.chainId === chainId).map(each => Number(each.timestamp))
  const now = clock.seconds()
  return Math.min(Math.max(now, ...times), now - clock.offsetMillis / 1000 + DAY_SECONDS)
}
