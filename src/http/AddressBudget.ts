/**
 * How many unauthenticated answers and public reads one client address may cause in a fixed minute. Each process decides from
 * memory at once and learns every second, through the database, what the other replicas have counted.
 */

import type { Duplex } from "node:stream"
import { type Clock, Context, Effect, Either, Layer, Schedule } from "effect"
import { RateLimited } from "../accounts/refusals.ts"
import { Settings } from "../settings/Settings.ts"
import { ProblemRegister } from "../values/ProblemRegister.ts"
import type { AnyRefusal } from "../values/Refusal.ts"
import { AddressUsage, type BudgetKind } from "./AddressUsage.ts"
import { peerAddress } from "./ClientAddress.ts"
import type { Exchange } from "./Exchange.ts"

const WINDOW_MS = 60_000
/** Of the pages where a passkey decides. */
const WALLET_LIMIT = 30
/** As many times as many: an answer of kept bytes is a fraction of the work, and one page of the console asks for dozens. */
const KEPT_TIMES = 10
const ADDRESSES_KEPT = 100_000
const SHARED_AT_ONCE = 1_000

interface Count {
  readonly kind: BudgetKind
  readonly address: string
  /** Counted here and not yet shared; below zero where what is shared already was given back. */
  own: number
  /** Over all replicas, as last learned. */
  shared: number
  /** When the database's minute of that is over, by this process's clock. */
  sharedUntil: number
}

const keyOf = (kind: BudgetKind, address: string) => `${kind} ${address}`

/** What was counted in the current minute; begun anew with each, and the oldest forgotten where too many addresses came. */
class Counts {
  readonly #clock: Clock.Clock
  readonly #counts = new Map<string, Count>()
  #window = 0

  constructor(clock: Clock.Clock) {
    this.#clock = clock
  }

  /** The time, with the counts of its minute. */
  now(): number {
    const now = this.#clock.unsafeCurrentTimeMillis()
    const started = Math.floor(now / WINDOW_MS)
    if (started !== this.#window) this.#counts.clear()
    this.#window = started
    return now
  }

  of(kind: BudgetKind, address: string, now: number): number {
    const count = this.#counts.get(keyOf(kind, address))
    if (count === undefined) return 0
    return count.own + (now < count.sharedUntil ? count.shared : 0)
  }

  /** When so many are counted no more. */
  endOf(kind: BudgetKind, address: string, limit: number): number {
    const ended = (this.#window + 1) * WINDOW_MS
    const count = this.#counts.get(keyOf(kind, address))
    return count === undefined || count.own >= limit ? ended : Math.min(ended, count.sharedUntil)
  }

  add(kind: BudgetKind, address: string, by: 1 | -1): void {
    const count = this.#counts.get(keyOf(kind, address)) ?? {
      kind,
      address,
      own: 0,
      shared: 0,
      sharedUntil: 0
    }
    count.own += by
    this.#counts.set(keyOf(kind, address), count)
    const [oldest] = this.#counts.keys()
    if (this.#counts.size > ADDRESSES_KEPT && oldest !== undefined) this.#counts.delete(oldest)
  }

  unshared(): ReadonlyArray<Count> {
    return [...this.#counts.values()].filter(({ own }) => own !== 0).slice(0, SHARED_AT_ONCE)
  }
}

export class AddressBudget extends Context.Tag("http/AddressBudget")<
  AddressBudget,
  {
    /** Refuses an address that has spent its budget; costs nothing by itself. */
    readonly check: (kind: BudgetKind, address: string) => Either.Either<void, RateLimited>
    readonly charge: (kind: BudgetKind, address: string) => Effect.Effect<void>
    /** Both at once, and whether it was left. */
    readonly take: (kind: BudgetKind, address: string) => boolean
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
      const counts = new Counts(yield* Effect.clock)

      const limits = limitsOf(quotas.address)

      const check = (kind: BudgetKind, address: string) => {
        const now = counts.now()
        const limit = limits[kind]
        return counts.of(kind, address, now) < limit
          ? Either.void
          : Either.left(spent(limit, counts.endOf(kind, address, limit) - now))
      }

      const take = (kind: BudgetKind, address: string) => {
        if (counts.of(kind, address, counts.now()) >= limits[kind]) return false
        counts.add(kind, address, 1)
        return true
      }

      const charge = (kind: BudgetKind, address: string) =>
        Effect.sync(() => {
          counts.now()
          counts.add(kind, address, 1)
        })

      const giveBack = (kind: BudgetKind, address: string) =>
        Effect.sync(() => {
          if (counts.of(kind, address, counts.now()) > 0) counts.add(kind, address, -1)
        })

      /** Without the database each process goes on with its own counts. */
      const share = Effect.ignore(sharing(counts, usage)).pipe(
        Effect.catchAllDefect(defect => Effect.logError("counts of addresses cannot be shared", defect))
      )
      yield* Effect.forkScoped(Effect.schedule(share, Schedule.spaced("1 second")))
      return { check, charge, take, giveBack, share }
    })
  ).pipe(Layer.provide(AddressUsage.layer))
}

const limitsOf = (ordinary: number): Readonly<Record<BudgetKind, number>> => ({
  unauthenticated: ordinary,
  overspent: ordinary,
  discovery: ordinary,
  kept: KEPT_TIMES * ordinary,
  wallet: Math.min(WALLET_LIMIT, ordinary)
})

const spent = (limit: number, leftMillis: number) =>
  new RateLimited({
    retryAfterSeconds: Math.ceil(leftMillis / 1000),
    context: { limit, per: "client address" }
  })

const sharing = (counts: Counts, usage: typeof AddressUsage.Service) =>
  Effect.gen(function* () {
    const now = counts.now()
    const fresh = counts.unshared()
    const sent = fresh.map(({ kind, address, own }) => ({ kind, address, count: own }))
    if (sent.length === 0) return
    const totals = yield* usage.add(sent)
    fresh.forEach((count, index) => {
      count.own -= sent[index]?.count ?? 0
      const total = totals[index]
      if (total === undefined) return
      count.shared = total.count
      count.sharedUntil = now + total.leftMillis
    })
  })

/** Not for what the caller did, but for how busy the service or its address is. */
const UNCHARGED = ["RATE_LIMITED", "SERVICE_BUSY"]

const isOfCaller = ({ _tag }: AnyRefusal): boolean =>
  ProblemRegister[_tag].status < 500 && !UNCHARGED.includes(_tag)

type Budget = typeof AddressBudget.Service

/** Before work that costs, once for a request, however it ends; refuses an address that has nothing left. */
export const chargeFirst = (
  budget: Budget,
  exchange: Exchange,
  kind: BudgetKind,
  address: string
): Effect.Effect<void, RateLimited> =>
  Effect.suspend(() => {
    if (exchange.charged) return Effect.void
    exchange.charged = true
    return Effect.zipRight(budget.check(kind, address), budget.charge(kind, address))
  })

/** Who turned out to be known pays by an account's quota instead. */
export const giveBack = (budget: Budget, exchange: Exchange, address: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    if (!exchange.charged) return Effect.void
    exchange.charged = false
    return budget.giveBack("unauthenticated", address)
  })

/**
 * What an account does not answer for: more than its quota, and what anybody who heard its request can send again.
 * Its bots' spending has a budget of its own, so that an owner at the same address can still revoke them.
 */
const unansweredKind = ({ quota }: Exchange, refusal: AnyRefusal): BudgetKind | undefined => {
  if (quota === undefined) return isOfCaller(refusal) ? "unauthenticated" : undefined
  if (refusal._tag === "NONCE_REUSED") return "unauthenticated"
  if (refusal._tag !== "RATE_LIMITED" || quota.figures.remaining > 0) return undefined
  return quota.kind === "bots" ? "overspent" : "unauthenticated"
}

/** What the refused is told: that its address has nothing left, where it would be charged for more. */
export const chargeRefused = (
  budget: Budget,
  exchange: Exchange,
  address: () => string,
  refusal: AnyRefusal
): Effect.Effect<AnyRefusal> => {
  const kind = unansweredKind(exchange, refusal)
  return exchange.charged || kind === undefined
    ? Effect.succeed(refusal)
    : Effect.match(chargeFirst(budget, exchange, kind, address()), {
        onFailure: spent => spent,
        onSuccess: () => refusal
      })
}

/** An empty header is an absent one. */
const isOfBot = ({ headers }: Exchange): boolean => (headers.get("x-service-grant")?.[0] ?? "") !== ""

/** Refuses a signed request of an address that has nothing left of what counts against its like. */
export const checkSignedBudget = (
  budget: Budget,
  exchange: Exchange,
  address: string
): Either.Either<void, RateLimited> =>
  Either.flatMap(budget.check("unauthenticated", address), () =>
    isOfBot(exchange) ? budget.check("overspent", address) : Either.void
  )

/** Who sent what could not be read as a request is known by the connection alone. */
export const chargePeer = (socket: Duplex) =>
  Effect.flatMap(AddressBudget, budget => budget.charge("unauthenticated", peerAddress(socket)))
