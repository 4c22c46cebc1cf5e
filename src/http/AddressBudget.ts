/**
 * How many unauthenticated answers and public reads one client address may cause in a fixed minute. Each process decides from
 * memory at once and learns every second, through the database, what the other replicas have counted.
 */

import { BlockList, isIP, Socket } from "node:net"
import type { Duplex } from "node:stream"
import { type Clock, Context, Effect, Either, Layer, Schedule } from "effect"
import { RateLimited } from "../accounts/refusals.ts"
import { Settings } from "../settings/Settings.ts"
import { ProblemRegister } from "../values/ProblemRegister.ts"
import type { AnyRefusal } from "../values/Refusal.ts"
import { AddressUsage, type BudgetKind } from "./AddressUsage.ts"
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

const familyOf = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4")

const WITH_PORT = /^(?:(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}|\[([0-9a-f:.]+)\](?::\d{1,5})?)$/i

/** Some proxies write a hop's port behind it. */
const withoutPort = (hop: string): string => {
  const [, ipv4, ipv6] = WITH_PORT.exec(hop) ?? []
  return ipv4 ?? ipv6 ?? hop
}

const plain = (address: string): string => address.trim().replace(/^::ffff:(?=\d+\.)/i, "")

/** Absent where no proxy is trusted. */
export type Proxies = BlockList | undefined

export const proxyList = (ranges: ReadonlyArray<string>): Proxies => {
  if (ranges.length === 0) return undefined
  const list = new BlockList()
  for (const range of ranges) {
    const [address = "", bits] = range.split("/")
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

const isTrusted = (proxies: Proxies, address: string): boolean =>
  proxies !== undefined && isIP(address) !== 0 && proxies.check(address, familyOf(address))

const GROUPS = 8
const NETWORK_GROUPS = 4

const groupsOf = (part: string | undefined): ReadonlyArray<string> =>
  part === undefined || part === "" ? [] : part.split(":")

/** Who has one IPv6 address has the 2^64 of its network. */
const network = (address: string): string => {
  if (isIP(address) !== 6) return address
  const [unscoped = ""] = address.split("%")
  const [head, tail] = new URL(`http://[${unscoped}]`).hostname.slice(1, -1).split("::")
  const [first, last] = [groupsOf(head), groupsOf(tail)]
  const zeros = Array.from({ length: GROUPS - first.length - last.length }, () => "0")
  return `${[...first, ...zeros, ...last].slice(0, NETWORK_GROUPS).join(":")}::/64`
}

const plainPeer = (socket: Socket): string => plain(socket.remoteAddress ?? "")

const peerOf = (exchange: Exchange): string => plainPeer(exchange.request.socket)

/** Of a connection on which no request could be read. */
const peerAddress = (socket: Duplex): string => network(socket instanceof Socket ? plainPeer(socket) : "")

/** Whether the client's own connection is the one that the request came by. */
export const isDirect = (exchange: Exchange, proxies: Proxies): boolean =>
  !isTrusted(proxies, peerOf(exchange))

/** Which address or network a request counts against: the peer's, or the one a trusted proxy reports. Reads X-Forwarded-For from the right and stops at the first hop that no trusted proxy owns; one that is no address proves nothing. */
export const clientAddress = (exchange: Exchange, proxies: Proxies): string => {
  const peer = peerOf(exchange)
  if (!isTrusted(proxies, peer)) return network(peer)
  const hops = (exchange.headers.get("x-forwarded-for") ?? [])
    .join(",")
    .split(",")
    .map(hop => plain(withoutPort(hop.trim())))
  const client = [...hops, peer].findLast(hop => !isTrusted(proxies, hop))
  /** What was cut out of the header would hold all of that. */
  return structuredClone(network(client === undefined || isIP(client) === 0 ? peer : client))
}

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

/** An account whose quota is spent answers for no more, and none for what anybody who heard its request can send again. */
const isUnanswered = ({ quota }: Exchange, refusal: AnyRefusal): boolean =>
  quota === undefined
    ? isOfCaller(refusal)
    : refusal._tag === "NONCE_REUSED" || (refusal._tag === "RATE_LIMITED" && quota.figures.remaining === 0)

/** What the refused is told: that its address has nothing left, where it would be charged for more. */
export const chargeRefused = (
  budget: Budget,
  exchange: Exchange,
  address: () => string,
  refusal: AnyRefusal
): Effect.Effect<AnyRefusal> =>
  exchange.charged || !isUnanswered(exchange, refusal)
    ? Effect.succeed(refusal)
    : Effect.match(chargeFirst(budget, exchange, "unauthenticated", address()), {
        onFailure: spent => spent,
        onSuccess: () => refusal
      })

/** Who sent what could not be read as a request is known by the connection alone. */
export const chargePeer = (socket: Duplex) =>
  Effect.flatMap(AddressBudget, budget => budget.charge("unauthenticated", peerAddress(socket)))
