/** The pool that a buyback hook uses for a token: its key, its state and what its oracle has seen. */
import { Effect, Either } from "effect"
import type { DependentCall, Word } from "../../protocol/DependentCalls.ts"
import type { PinnedSnapshot, ReadFailure } from "../../protocol/PinnedContracts.ts"
import { currencyOf, type PoolKey, poolIdOf } from "../../protocol/PoolIds.ts"
import { eachAtOnce } from "../../values/EachAtOnce.ts"
import { observed } from "../../values/Observed.ts"
import { Address, Uint256, ZERO_ADDRESS } from "../../values/Scalars.ts"
import { ReadPoolKey, readCoverage, readObservations, readPoolState } from "./PoolReads.ts"
import { isEmptyKey, type PoolState } from "./Pools.ts"
import { OracleUnset, UnsupportedBuybackImplementation } from "./refusals.ts"
import { type Observations, timeWeighted, twapQuality } from "./Twap.ts"

const CONTRACT = "JBBuybackHook"
const KEY = "(address,address,uint24,int24,address)"

interface Place {
  readonly snapshot: PinnedSnapshot
  readonly projectId: string
  readonly hook: Address
  readonly token: Address
}

/** The pool that a hook keeps for a token. */
export const readKey = ({ snapshot: { readAt }, projectId, hook, token }: Place) =>
  readAt(CONTRACT, hook, "poolKeyOf", [projectId, currencyOf(token)], ReadPoolKey)

export const readWindow = ({ snapshot: { readAt }, projectId, hook, token }: Place) =>
  readAt(CONTRACT, hook, "twapWindowOf", [projectId, currencyOf(token)], Uint256)

const questions = (place: Place) => ({
  poolManager: place.snapshot.readAt(CONTRACT, place.hook, "poolManager", [], Address),
  oracle: place.snapshot.readAt(CONTRACT, place.hook, "oracleHook", [], Address),
  key: readKey(place),
  window: readWindow(place)
})

type Failure = ReadFailure | OracleUnset | UnsupportedBuybackImplementation
type Known<A> = Either.Either<A, Failure>

/** The pool calls the hooks of its key, so that no other oracle has observed it. */
const oracleOf = (named: Address, { hooks }: PoolKey): Known<Address> => {
  if (named === ZERO_ADDRESS) return Either.left(new OracleUnset())
  return named === hooks
    ? Either.right(named)
    : Either.left(new UnsupportedBuybackImplementation({ context: { oracleHook: named, hooks } }))
}

const shown = ({ sqrtPriceX96, tick, liquidity }: PoolState) => ({
  initialized: sqrtPriceX96 !== 0n,
  sqrtPriceX96: sqrtPriceX96.toString(),
  tick,
  liquidity: liquidity.toString()
})

const weighed = (observations: Observations, windowSeconds: number) => {
  const { meanTick, harmonicMeanLiquidity } = timeWeighted(observations, windowSeconds)
  return { windowSeconds, meanTick, harmonicMeanLiquidity: harmonicMeanLiquidity?.toString() ?? null }
}

interface Seen {
  readonly oracle: Known<Address>
  readonly window: Known<string>
  readonly key: PoolKey
}

/** A window of nothing is none that a hook stores beside a pool, and no mean follows from it. */
const asked = <A>(
  { oracle, window }: Seen,
  ask: (oracle: Address, window: string) => Effect.Effect<A, Failure>
): Effect.Effect<A, Failure> =>
  Effect.flatMap(oracle, address =>
    Effect.flatMap(window, seconds =>
      seconds === "0"
        ? new UnsupportedBuybackImplementation({ context: { twapWindow: seconds } })
        : ask(address, seconds)
    )
  )

/** An oracle that covers less than the window reverts for it and is asked for what it covers. */
const observedOver = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  seen: Seen,
  coverage: Known<string>,
  whole: Known<Observations>
) {
  const window = Number(Either.getOrElse(seen.window, () => "0"))
  const covered = Number(Either.getOrElse(coverage, () => "0"))
  if (covered === 0 || covered >= window) return { seconds: window, observations: whole }
  const part = asked(seen, oracle => readObservations(snapshot, oracle, seen.key, String(covered)))
  return { seconds: covered, observations: yield* Effect.either(part) }
})

const oracleView = Effect.fnUntraced(function* (
  snapshot: PinnedSnapshot,
  seen: Seen,
  coverage: Known<string>,
  whole: Known<Observations>
) {
  const { seconds, observations } = yield* observedOver(snapshot, seen, coverage, whole)
  return {
    hook: yield* observed(seen.oracle),
    twapWindow: yield* observed(seen.window),
    coverageSeconds: yield* observed(coverage),
    quality: twapQuality(
      Number(Either.getOrElse(seen.window, () => "0")),
      Either.getOrUndefined(Either.map(coverage, Number)),
      Either.getOrUndefined(observations)
    ),
    observation: yield* observed(Either.map(observations, found => weighed(found, seconds)))
  }
})

/** What the pools of a hook rest on, for currencies that another contract may answer. */
export const poolCalls = (
  projectId: string,
  hook: Address,
  currencies: ReadonlyArray<Word | Address>
): ReadonlyArray<DependentCall> => [
  { to: hook, signature: "poolManager()" },
  { to: hook, signature: "oracleHook()" },
  ...currencies.flatMap(currency => [
    { to: hook, signature: "poolKeyOf(uint256,address)", words: [projectId, currency] },
    { to: hook, signature: "twapWindowOf(uint256,address)", words: [projectId, currency] }
  ])
]

const COVERED = { call: 0, index: 0 }
const SIX_WORDS = 6n * 32n

const asWord = (integer: number): bigint => BigInt.asUintN(256, BigInt(integer))

/** What the oracle has observed over as long as it covers. */
const observedCalls = (
  oracle: Known<Address>,
  { currency0, currency1, fee, tickSpacing, hooks }: PoolKey
): ReadonlyArray<DependentCall> => {
  if (Either.isLeft(oracle)) return []
  const [to, key] = [oracle.right, [currency0, currency1, BigInt(fee), asWord(tickSpacing), hooks]]
  return [
    { to, signature: `observationCoverageOf(${KEY})`, words: key },
    { to, signature: `observe(${KEY},uint32[])`, words: [...key, SIX_WORDS, 2n, COVERED, 0n] }
  ]
}

/** Two round trips. Null where no pool was chosen. */
export const readBuybackPool = Effect.fn("BuybackPools.read")(function* (place: Place) {
  const { snapshot } = place
  const { key: found, poolManager, oracle: named, window } = yield* eachAtOnce(questions(place))
  const key = yield* found
  if (isEmptyKey(key)) return null
  const seen: Seen = { key, window, oracle: Either.flatMap(named, address => oracleOf(address, key)) }
  const { state, coverage, whole } = yield* eachAtOnce({
    ahead: snapshot.foresee(observedCalls(seen.oracle, key)),
    state: Effect.flatMap(poolManager, manager => readPoolState(snapshot, manager, key)),
    coverage: Effect.flatMap(seen.oracle, oracle => readCoverage(snapshot, oracle, key)),
    whole: asked(seen, (oracle, seconds) => readObservations(snapshot, oracle, key, seconds))
  })
  return {
    key,
    poolId: poolIdOf(key),
    poolManager: yield* observed(poolManager),
    state: yield* observed(Either.map(state, shown)),
    oracle: yield* oracleView(snapshot, seen, coverage, whole)
  }
})
