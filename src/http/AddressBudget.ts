/**
 * How many unauthenticated answers and public reads one client address may cause in a fixed minute. Each process decides from
 * memory at once and learns every second, through the database, what the other replicas have counted.
 */
import { Context, Effect, Either, Layer, Schedule } from "effect"
import { RateLimited } from "../accounts/refusals.ts"
import { Settings } from "../settings/Settings.ts"
import { AddressUsage, type BudgetKind } from "./AddressUsage.ts"

const WINDOW_MS = 60_000
const ADDRESSES_KEPT = 100_000
const SHARED_AT_ONCE = 1_000

interface Count {
  readonly kind: BudgetKind
  readonly address: string
  /** Counted here and not yet shared; below zero where what is shared already was given back. */
  own: number
  /** Over all replicas, as last learned. */
  shared: number
}

export class AddressBudget extends Context.Tag("http/AddressBudget")<
  AddressBudget,
  {
    /** Refuses an address that has spent its budget; costs nothing by itself. */
    readonly check: (kind: BudgetKind, address: string) => Either.Either<void, RateLimited>
    readonly charge: (kind: BudgetKind, address: string) => Effect.Effect<void>
    /** Takes back a charge of a moment ago. */
    readonly giveBack: (kind: BudgetKind, address: string) => Effect.Effect<void>
    /** Exchanges counts with the other replicas; runs by itself every second. */
    readonly share: Effect.Effect<void>
  }
>() {
  static readonly layer = Layer.scoped(
    AddressBudget,
    Effect.gen(function* () {
      const { quotas } = yield* Settings
      const usage = yield* AddressUsage
      const clock = yield* Effect.clock
      const counts = new Map<string, Count>()
      let window = 0

      const current = () => {
        const now = clock.unsafeCurrentTimeMillis()
        const started = Math.floor(now / WINDOW_MS)
        if (started !== window || counts.size > ADDRESSES_KEPT) counts.clear()
        window = started
        return now
      }

      const refused = (now: number) =>
        new RateLimited({
          retryAfterSeconds: Math.ceil((WINDOW_MS - (now % WINDOW_MS)) / 1000),
          context: { limit: quotas.address, per: "client address" }
        })

      const check = (kind: BudgetKind, address: string) => {
        const now = current()
        const count = counts.get(`${kind} ${address}`)
        const isSpent = count !== undefined && count.own + count.shared >= quotas.address
        return isSpent ? Either.left(refused(now)) : Either.void
      }

      const charge = (kind: BudgetKind, address: string) =>
        Effect.sync(() => {
          current()
          const key = `${kind} ${address}`
          const count = counts.get(key) ?? { kind, address, own: 0, shared: 0 }
          count.own += 1
          counts.set(key, count)
        })

      const giveBack = (kind: BudgetKind, address: string) =>
        Effect.sync(() => {
          current()
          const count = counts.get(`${kind} ${address}`)
          if (count !== undefined && count.own + count.shared > 0) count.own -= 1
        })

      const shareOnce = Effect.gen(function* () {
        current()
        const fresh = [...counts.values()].filter(({ own }) => own !== 0).slice(0, SHARED_AT_ONCE)
        const sent = fresh.map(({ kind, address, own }) => ({ kind, address, count: own }))
        if (sent.length === 0) return
        const totals = yield* usage.add(sent)
        fresh.forEach((count, index) => {
          count.own -= sent[index]?.count ?? 0
          count.shared = totals[index] ?? count.shared
        })
      })

      /** Without the database each process goes on with its own counts. */
      const share = Effect.catchAll(shareOnce, () => Effect.void)
      yield* Effect.forkScoped(Effect.schedule(share, Schedule.spaced("1 second")))
      return { check, charge, giveBack, share }
    })
  ).pipe(Layer.provide(AddressUsage.layer))
}
