/** Chooses an endpoint per session, in the operator's order, and pins what is read to it. */
import { Effect, Either, Layer } from "effect"
import { Settings } from "../settings/Settings.ts"
import { steadyMillis } from "../values/SteadyClock.ts"
import { type CallBudget, makeCallBudget, type Spend } from "./CallBudget.ts"
import { showCallBudget } from "./CallBudgetMetrics.ts"
import {
  type Begun,
  type Block,
  type CallOutcome,
  type CallRequest,
  ChainClient,
  type ChainSession,
  type ConfiguredChain,
  type Read,
  type Snapshot
} from "./ChainClient.ts"
import { makeExamination } from "./ChainExamination.ts"
import { chainFacts } from "./ChainRegistry.ts"
import { makeEndpoint } from "./Endpoint.ts"
import { isOfQuestion } from "./NodeRefusal.ts"
import { outsideTransaction } from "./OutsideTransaction.ts"
import { call, code, guess } from "./PinnedReads.ts"
import { blockByNumber, rawSend, stateAt } from "./Reads.ts"
import { BlockUnavailable, type RpcFailure, RpcUnavailable, UnsupportedChain } from "./refusals.ts"
import { sharing } from "./Sharing.ts"
import { makeStation, type Station } from "./Station.ts"
import { CurrentWork } from "./Work.ts"

interface Network {
  readonly chainId: number
  readonly confirmations: number
  readonly stations: ReadonlyArray<Station>
}

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
const inRotation = (stations: ReadonlyArray<Station>, now: number): ReadonlyArray<Station> => {
  const rests = (station: Station) => station.facts().restsUntil > now
  if (!stations.some(rests)) return stations
  return [...stations.filter(station => !rests(station)), ...stations.filter(rests)]
}

/** EIP-4444 "pruned history unavailable", and EIP-1474 "resource not found". */
const LACKING_CODES = [4_444, -32_001]

/** The node has no such block any more, or nothing of what was at it. */
const lacksBlock = (failure: { readonly _tag: string }): boolean =>
  failure._tag === "BLOCK_UNAVAILABLE" || (isOfQuestion(failure) && LACKING_CODES.includes(failure.code))

const firstThatOpens = <A, E extends RpcFailure | BlockUnavailable>(
  stations: ReadonlyArray<Station>,
  open: (station: Station) => Effect.Effect<A, E>
): Effect.Effect<A, E | RpcUnavailable> => {
  const [station, ...others] = stations
  if (station === undefined) return new RpcUnavailable()
  if (others.length === 0) return open(station)
  return Effect.catchAll(open(station), failure =>
    failure._tag === "RPC_BUDGET"
      ? Effect.fail(failure)
      : Effect.mapError(firstThatOpens(others, open), last => (lacksBlock(last) ? failure : last))
  )
}

const opened = <A, E extends RpcFailure | BlockUnavailable>(
  { stations }: Network,
  open: (station: Station) => Effect.Effect<A, E>
): Effect.Effect<A, E | RpcUnavailable> =>
  Effect.clockWith(clock => firstThatOpens(inRotation(stations, steadyMillis(clock)), open))

const methodsOf = (reads: ReadonlyArray<Read<unknown>>) => reads.map(({ method }) => method)

/** By whatever work the calls are made for. */
const paying = <A, E>(budget: CallBudget, ask: (spend: Spend) => Effect.Effect<A, E>) =>
  Effect.flatMap(CurrentWork, work => ask(calls => budget.take(work, calls)))

const sessionOn = (
  chain: number,
  station: Station,
  read: Station["read"],
  budget: CallBudget
): ChainSession => ({
  chainId: chain,
  endpoint: station.label,
  all: reads =>
    outsideTransaction(
      "ChainClient.all",
      { chain, methods: methodsOf(reads), endpoint: station.label },
      paying(budget, spend => read(reads, spend))
    ),
  sendRaw: raw => {
    const send = rawSend(raw)
    return outsideTransaction(
      "ChainClient.sendRaw",
      { chain, methods: [send.method], endpoint: station.label },
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

/** A block and the station that told of it, with what else it told. */
interface Sighting {
  readonly station: Station
  readonly block: Block | null
  readonly guesses: ReadonlyArray<CallOutcome>
  /** By which more is read at it. */
  readonly read: Station["read"]
}

const sightedHead =
  (spend: Spend, guesses: ReadonlyArray<Read<CallOutcome>> = []) =>
  (station: Station): Effect.Effect<Sighting, RpcFailure> =>
    Effect.map(station.open([station.head, ...guesses], spend), ([block, ...outcomes]) => ({
      station,
      block,
      guesses: outcomes,
      read: station.read
    }))

/** By its number, on an endpoint that has what was at it as well. */
const sightedPast =
  (chain: number, number: bigint, spend: Spend, guesses: ReadonlyArray<Read<CallOutcome>>) =>
  (station: Station): Effect.Effect<Sighting, RpcFailure | BlockUnavailable> =>
    Effect.flatMap(
      station.open([blockByNumber(chain, number), stateAt(number), ...guesses], spend),
      ([block, hasState, ...outcomes]): Effect.Effect<Sighting, BlockUnavailable> =>
        block === null || hasState
          ? Effect.succeed({ station, block, guesses: outcomes, read: station.readPast })
          : new BlockUnavailable()
    )

const begun = <const Reads extends ReadonlyArray<Read<unknown>>>(
  network: Network,
  reads: Reads,
  budget: CallBudget
) =>
  paying(budget, spend =>
    opened(network, station =>
      Effect.map(
        station.open(reads, spend),
        (answers): Begun<Reads> => ({
          session: sessionOn(network.chainId, station, station.read, budget),
          answers
        })
      )
    )
  )

const described = ({ chainId, confirmations, stations }: Network): ConfiguredChain => {
  const { name, testnet } = chainFacts(chainId)
  const finalities = stations.map(station => station.facts().finality)
  const finality = {
    safe: finalities.some(({ safe }) => safe),
    finalized: finalities.some(({ finalized }) => finalized)
  }
  return { id: chainId, name, testnet, confirmations, finality }
}

/** Nodes hold block numbers in 63 bits and refuse to look for larger ones. */
const HIGHEST_BLOCK = 2n ** 63n - 1n

/** The first of those who share a look at the head has paid for it, so that nobody is refused for another's share. */
const beyondHead =
  ({ note }: CallBudget): Spend =>
  calls =>
    note(calls - 1)

const pinned = <A, E extends { readonly _tag: string }>(
  chain: number,
  number: bigint | undefined,
  look: Effect.Effect<A, E>
) => {
  const found: Effect.Effect<A, E | BlockUnavailable> =
    (number ?? 0n) > HIGHEST_BLOCK
      ? new BlockUnavailable()
      : Effect.catchIf(look, lacksBlock, () => new BlockUnavailable())
  return outsideTransaction("ChainClient.snapshot", { chain, methods: [] }, found)
}

const waysTo = (network: Network, budget: CallBudget, deadlineMillis: number) =>
  Effect.gen(function* () {
    const chain = network.chainId
    const latest = yield* sharing(
      opened(network, sightedHead(beyondHead(budget))),
      paying(budget, spend => spend(1) ?? Effect.void)
    )
    const examined = yield* makeExamination(network, budget, deadlineMillis)
    const foreseen = (
      number: bigint | undefined,
      calls: ReadonlyArray<CallRequest>
    ): Effect.Effect<Sighting, RpcFailure | BlockUnavailable> => {
      const guesses = calls.map(request => guess(request, number))
      return paying(budget, spend =>
        number === undefined
          ? opened(network, sightedHead(spend, guesses))
          : opened(network, sightedPast(chain, number, spend, guesses))
      )
    }
    const taken = ({ station, block, read }: Sighting): Effect.Effect<Snapshot, BlockUnavailable> =>
      block === null
        ? new BlockUnavailable()
        : Effect.succeed(snapshotOf(sessionOn(chain, station, read, budget), block))
    return {
      network,
      examined: outsideTransaction("ChainClient.health", { chain, methods: [] }, examined),
      begin: <const Reads extends ReadonlyArray<Read<unknown>>>(reads: Reads) =>
        outsideTransaction(
          "ChainClient.session",
          { chain, methods: methodsOf(reads) },
          begun(network, reads, budget)
        ),
      snapshot: (number: bigint | undefined) =>
        pinned(chain, number, Effect.flatMap(number === undefined ? latest : foreseen(number, []), taken)),
      snapshotWith: (number: bigint | undefined, calls: ReadonlyArray<CallRequest>) =>
        pinned(
          chain,
          number,
          Effect.flatMap(foreseen(number, calls), sighting =>
            Effect.map(taken(sighting), snapshot => ({ snapshot, guesses: sighting.guesses }))
          )
        )
    }
  })

export const ChainClientLive: Layer.Layer<ChainClient, never, Settings> = Layer.scoped(
  ChainClient,
  Effect.gen(function* () {
    const settings = yield* Settings
    const budget = yield* makeCallBudget(settings.quotas.rpc)
    yield* showCallBudget(budget)
    const chains = yield* Effect.forEach(settings.chains, chain =>
      Effect.flatMap(makeNetwork(chain, settings.headMaximumAgeSeconds), network =>
        waysTo(network, budget, settings.readiness.deadlineMillis)
      )
    )
    const byId = new Map(chains.map(ways => [ways.network.chainId, ways]))
    const to = (chainId: number) => {
      const ways = byId.get(chainId)
      return ways === undefined
        ? Either.left(new UnsupportedChain({ context: { chainId } }))
        : Either.right(ways)
    }
    return {
      chains: Effect.sync(() => chains.map(({ network }) => described(network))),
      chain: chainId => Effect.suspend(() => Either.map(to(chainId), ({ network }) => described(network))),
      session: chainId =>
        Effect.flatMap(to(chainId), ways => Effect.map(ways.begin([]), ({ session }) => session)),
      begin: (chainId, reads) => Effect.flatMap(to(chainId), ways => ways.begin(reads)),
      snapshot: (chainId, at) => Effect.flatMap(to(chainId), ways => ways.snapshot(at)),
      snapshotWith: (chainId, at, calls) => Effect.flatMap(to(chainId), ways => ways.snapshotWith(at, calls)),
      snapshotOf,
      health: Effect.forEach(chains, ways => ways.examined, { concurrency: "unbounded" })
    }
  })
)
