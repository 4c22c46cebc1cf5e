/** How many unauthenticated answers and public reads one client address may cause in a fixed minute. */
import { Clock, Context, Effect, Layer } from "effect"
import { RateLimited } from "../accounts/refusals.ts"
import { Settings } from "../settings/Settings.ts"

const WINDOW_MS = 60_000
const ADDRESSES_KEPT = 100_000

type Kind = "unauthenticated" | "discovery"

export class AddressBudget extends Context.Tag("http/AddressBudget")<
  AddressBudget,
  {
    /** Refuses an address that has spent its budget; costs nothing by itself. */
    readonly check: (kind: Kind, address: string) => Effect.Effect<void, RateLimited>
    readonly charge: (kind: Kind, address: string) => Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.effect(
    AddressBudget,
    Effect.gen(function* () {
      const { quotas } = yield* Settings
      const counts = new Map<string, number>()
      let window = 0

      const current = Effect.map(Clock.currentTimeMillis, now => {
        const started = Math.floor(now / WINDOW_MS)
        if (started !== window || counts.size > ADDRESSES_KEPT) counts.clear()
        window = started
        return now
      })

      const check = (kind: Kind, address: string) =>
        Effect.flatMap(current, now =>
          (counts.get(`${kind} ${address}`) ?? 0) < quotas.address
            ? Effect.void
            : Effect.fail(
                new RateLimited({
                  retryAfterSeconds: Math.ceil((WINDOW_MS - (now % WINDOW_MS)) / 1000),
                  context: { limit: quotas.address, per: "client address" }
                })
              )
        )

      const charge = (kind: Kind, address: string) =>
        Effect.map(current, () => {
          const key = `${kind} ${address}`
          counts.set(key, (counts.get(key) ?? 0) + 1)
        })

      return { check, charge }
    })
  )
}
