/** Chooses an endpoint per session, in the operator's order, and pins what is read to it. */
import { Clock, Effect, Layer, Option, Ref } from "effect"
import { Settings } from "../settings/Settings.ts"
import { type CallBudget, makeCallBudget } from "./CallBudget.ts"
import {
  type Begun,
  type Block,
  ChainClient,
  type ChainHealth,
  type ChainSession,
  type ConfiguredChain,
  type Read,
  type Snapshot
} from "./ChainClient.ts"
import { chainFacts } from "./ChainRegistry.ts"
import { makeEndpoint } from "./Endpoint.ts"
import { outsideTransaction } from "./OutsideTransaction.ts"
import { call, code } from "./PinnedReads.ts"
import { blockByNumber, rawSend } from "./Reads.ts"
import { BlockUnavailable, type RpcFailure, RpcUnavailable, UnsupportedChain } from "./refusals.ts"
import { makeStation, type Station } from "./Station.ts"

interface Network {
  readonly chainId: number
  readonly confirmations: number
  readonly stations: ReadonlyArray<Station>
}

const HEALTH_MILLIS = 10_000

const makeNetwork = (settings: Settings["Type"]["chains"][number], headMaximumAgeSeconds: number) =>
  Effect.gen(function* () {
    const { chainId, confirmations, urls } = settings
    const age = chainFacts(chainId).idleHeads ? undefined : headMaximumAgeSeconds
    const stations = yield* Effect.forEach(urls, (url, index) =>
      Effect.flatMap(makeEndpoint(url), endpoint =>
        makeStation(`${chainId}/${index}`, endpoint, { chainId, headMaximumAgeSeconds: age })
      )
    )
    return { chainId, confirmations, stations }
  })

/** Resting stations stay as the last resort, so that the only endpoint of a chain is always tried. */
const inRotation = (stations: ReadonlyArray<Station>) =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const seen = yield* Effect.forEach(stations, station =>
      Effect.map(station.facts, ({ restsUntil }) => ({ station, rests: restsUntil > now }))
    )
    return [...seen.filter(({ rests }) => !rests), ...seen.filter(({ rests }) => rests)].map(
      ({ station }) => station
    )
  })

const firstThatOpens = <A>(
  stations: ReadonlyArray<Station>,
  open: (station: Station) => Effect.Effect<A, RpcFailure>
): Effect.Effect<A, RpcFailure> => {
  const [station, ...others] = stations
  if (station === undefined) return new RpcUnavailable()
  return Effect.catchAll(open(station), failure =>
    others.length === 0 || failure._tag === "RPC_BUDGET" ? failure : firstThatOpens(others, open)
  )
}

/** What every public method shares: a span that names chain and methods only, and no database transaction around it. */
const traced = (name: string) =>
  Effect.fn(name)(
    <A, E>(chainId: number, methods: ReadonlyArray<string>, body: Effect.Effect<A, E>): Effect.Effect<A, E> =>
      outsideTransaction.pipe(
        Effect.zipRight(
          Effect.annotateCurrentSpan({ chain: chainId, method: [...new Set(methods)].join(",") })
        ),
        Effect.zipRight(body)
      )
  )

const all = traced("ChainClient.all")
const sendRaw = traced("ChainClient.sendRaw")
const session = traced("ChainClient.session")
const snapshot = traced("ChainClient.snapshot")
const health = traced("ChainClient.health")

const sessionOn = ({ chainId }: Network, station: Station, budget: CallBudget): ChainSession => ({
  chainId,
  endpoint: station.label,
  all: reads => all(chainId, methodsOf(reads), station.read(reads, budget.take)),
  sendRaw: raw => {
    const send = rawSend(raw)
    return sendRaw(
      chainId,
      [send.method],
      Effect.map(station.read([send], budget.note), ([answer]) => answer)
    )
  }
})

const snapshotOf = (session: ChainSession, block: Block): Snapshot => ({
  session,
  block,
  calls: requests => session.all(requests.map(request => call(request, block.hash))),
  codes: addresses => session.all(addresses.map(address => code(address, block.hash)))
})

const blockOn = (station: Station, chainId: number, at: bigint | undefined, budget: CallBudget) =>
  at === undefined
    ? Effect.map(station.open([station.head], budget.take), ([block]) => block)
    : Effect.map(station.open([blockByNumber(chainId, at)], budget.take), ([block]) => block)

const openSnapshot = (network: Network, at: bigint | undefined, budget: CallBudget) =>
  inRotation(network.stations).pipe(
    Effect.flatMap(stations =>
      firstThatOpens(stations, station =>
        Effect.map(blockOn(station, network.chainId, at, budget), block => ({ station, block }))
      )
    ),
    Effect.flatMap(({ station, block }) =>
      block === null
        ? new BlockUnavailable()
        : Effect.succeed(snapshotOf(sessionOn(network, station, budget), block))
    )
  )

const begun = <const Reads extends ReadonlyArray<Read<unknown>>>(
  network: Network,
  reads: Reads,
  budget: CallBudget
) =>
  Effect.flatMap(inRotation(network.stations), stations =>
    firstThatOpens(stations, station =>
      Effect.map(
        station.open(reads, budget.take),
        (answers): Begun<Reads> => ({ session: sessionOn(network, station, budget), answers })
      )
    )
  )

const methodsOf = (reads: ReadonlyArray<Read<unknown>>) => reads.map(({ method }) => method)

const described = ({ chainId, confirmations, stations }: Network): Effect.Effect<ConfiguredChain> =>
  Effect.map(
    Effect.forEach(stations, station => station.facts),
    facts => {
      const { name, testnet } = chainFacts(chainId)
      const safe = facts.some(({ finality }) => finality.safe)
      const finalized = facts.some(({ finality }) => finality.finalized)
      return { id: chainId, name, testnet, confirmations, finality: { safe, finalized } }
    }
  )

const examined = ({ chainId, stations }: Network, budget: CallBudget): Effect.Effect<ChainHealth> =>
  Effect.gen(function* () {
    const opened = yield* Effect.forEach(
      stations,
      station => Effect.either(station.open([station.head], budget.note)),
      { concurrency: "unbounded" }
    )
    const facts = yield* Effect.forEach(stations, station => station.facts)
    const serving = facts.filter((_, index) => opened[index]?._tag === "Right")
    const seconds = (yield* Clock.currentTimeMillis) / 1_000
    const first = serving[0]
    return {
      chainId,
      state: serving.length === 0 ? "unhealthy" : serving.length < facts.length ? "degraded" : "healthy",
      headAgeSeconds:
        first?.headTimestamp == null ? null : Math.max(0, Math.round(seconds - Number(first.headTimestamp))),
      latencyMs: first?.latencyMs ?? null
    }
  })

/** Not Effect.cachedWithTTL, which would hand one caller's interruption or defect to all the others. */
const remembered = <A>(fresh: Effect.Effect<A>): Effect.Effect<Effect.Effect<A>> =>
  Effect.map(Ref.make(Option.none<{ readonly until: number; readonly value: A }>()), memory =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const last = yield* Ref.get(memory)
      if (Option.isSome(last) && now < last.value.until) return last.value.value
      const value = yield* fresh
      yield* Ref.set(memory, Option.some({ until: now + HEALTH_MILLIS, value }))
      return value
    })
  )

export const ChainClientLive: Layer.Layer<ChainClient, never, Settings> = Layer.scoped(
  ChainClient,
  Effect.gen(function* () {
    const settings = yield* Settings
    const budget = yield* makeCallBudget(settings.quotas.rpc)
    const networks = yield* Effect.forEach(settings.chains, chain =>
      makeNetwork(chain, settings.headMaximumAgeSeconds)
    )
    const networkOf = (chainId: number) =>
      Effect.fromNullable(networks.find(network => network.chainId === chainId)).pipe(
        Effect.mapError(() => new UnsupportedChain({ context: { chainId } }))
      )
    const examination = yield* remembered(
      Effect.forEach(networks, network => health(network.chainId, [], examined(network, budget)), {
        concurrency: 8
      })
    )
    return {
      chains: Effect.forEach(networks, described),
      chain: chainId => Effect.flatMap(networkOf(chainId), described),
      session: chainId =>
        Effect.flatMap(networkOf(chainId), network =>
          Effect.map(session(chainId, [], begun(network, [], budget)), opened => opened.session)
        ),
      begin: (chainId, reads) =>
        Effect.flatMap(networkOf(chainId), network =>
          session(chainId, methodsOf(reads), begun(network, reads, budget))
        ),
      snapshot: (chainId, at) =>
        Effect.flatMap(networkOf(chainId), network =>
          snapshot(chainId, [], openSnapshot(network, at, budget))
        ),
      snapshotOf,
      health: examination
    }
  })
)
