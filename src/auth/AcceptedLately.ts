/** From where contract signatures were accepted lately: what is kept for their next ones, forged ones from elsewhere cannot use up. */
import { Effect } from "effect"

const KEPT_MILLIS = 3_600_000
/** The longest ago is forgotten first. */
const MOST = 1_000

export interface AcceptedLately {
  readonly add: (address: string) => void
  readonly has: (address: string) => boolean
}

export const makeAcceptedLately: Effect.Effect<AcceptedLately> = Effect.map(Effect.clock, clock => {
  const acceptedAt = new Map<string, number>()
  return {
    add: address => {
      acceptedAt.delete(address)
      acceptedAt.set(address, clock.unsafeCurrentTimeMillis())
      const [oldest] = acceptedAt.keys()
      if (acceptedAt.size > MOST && oldest !== undefined) acceptedAt.delete(oldest)
    },
    has: address => {
      const at = acceptedAt.get(address)
      return at !== undefined && clock.unsafeCurrentTimeMillis() - at < KEPT_MILLIS
    }
  }
})
