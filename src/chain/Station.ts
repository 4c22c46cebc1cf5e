/** One endpoint of a chain and the duties before it may serve: its chain id proved, its head fresh. */
import { Clock, Duration, Effect, Ref } from "effect"
import type { CallBudget } from "./CallBudget.ts"
import type { Answers, Block, Read } from "./ChainClient.ts"
import type { Endpoint } from "./Endpoint.ts"
import type { Answer } from "./JsonRpc.ts"
import { askAggregated, multicallProbe } from "./Multicall.ts"
import { chainProof, latestBlock, taggedBlock } from "./Reads.ts"
import { makeRpcMetrics, type RpcMetrics } from "./RpcMetrics.ts"
import { RpcBehind, type RpcFailure, RpcUnavailable } from "./refusals.ts"

type Reads = ReadonlyArray<Read<unknown>>
type Spend = CallBudget["take"] | CallBudget["note"]

interface Duties {
  readonly head: Read<Block>
  readonly proofs: Reads
}

export interface StationRules {
  readonly chainId: number
  /** Undefined where an old head is normal. */
  readonly headMaximumAgeSeconds: number | undefined
}

export interface StationFacts {
  readonly provedAt: number
  readonly headSeenAt: number
  readonly headTimestamp: bigint | null
  readonly latencyMs: number | null
  readonly restsUntil: number
  readonly finality: { readonly safe: boolean; readonly finalized: boolean }
  /** Undefined until a block was looked at for it. */
  readonly hasMulticall: boolean | undefined
}

export interface Station {
  readonly label: string
  readonly facts: Effect.Effect<StationFacts>
  readonly read: <const R extends Reads>(reads: R, spend: Spend) => Effect.Effect<Answers<R>, RpcFailure>
  /** Does the duties that are due in the same round trip as these reads. */
  readonly open: Station["read"]
  readonly head: Read<Block>
}

const USUAL_SECONDS = 5
const PROOF_MILLIS = 600_000
const HEAD_MILLIS = 10_000
const REST_MILLIS = 10_000

const unproved: StationFacts = {
  provedAt: Number.NEGATIVE_INFINITY,
  headSeenAt: Number.NEGATIVE_INFINITY,
  headTimestamp: null,
  latencyMs: null,
  restsUntil: 0,
  finality: { safe: false, finalized: false },
  hasMulticall: undefined
}

const valueOf = (read: Read<unknown>, answer: Answer | undefined): Effect.Effect<unknown, RpcFailure> => {
  if (answer?._tag === "Result") return read.decode(answer.result)
  const value = answer && read.onNodeError?.(answer)
  return value === undefined ? new RpcUnavailable() : Effect.succeed(value)
}

const roundTrip = (metrics: RpcMetrics, endpoint: Endpoint, reads: Reads) => {
  const seconds = Math.max(USUAL_SECONDS, ...reads.map(read => read.deadlineSeconds ?? USUAL_SECONDS))
  return endpoint.ask(reads, seconds).pipe(
    Effect.flatMap(answers => Effect.forEach(reads, (read, index) => valueOf(read, answers[index]))),
    metrics.measured(reads.map(read => read.method))
  )
}

const observing = <A>(read: Read<A>, observe: (value: A) => Effect.Effect<void, RpcFailure>): Read<A> => ({
  ...read,
  decode: result => Effect.tap(read.decode(result), observe)
})

type Note = (facts: Partial<StationFacts>) => Effect.Effect<void>

/** The reads that prove a station, noting what they show as their answers are read. */
const dutiesOf = (
  { chainId, headMaximumAgeSeconds }: StationRules,
  state: Ref.Ref<StationFacts>,
  note: Note,
  metrics: RpcMetrics
): Duties => {
  const tag = (name: "safe" | "finalized") =>
    observing(taggedBlock(chainId, name), block =>
      Ref.update(state, last => ({ ...last, finality: { ...last.finality, [name]: block !== null } }))
    )
  const head = observing(latestBlock(chainId), block =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const age = Math.max(0, now / 1_000 - Number(block.timestamp))
      yield* note({ headSeenAt: now, headTimestamp: block.timestamp })
      yield* metrics.noteHeadAge(age)
      if (headMaximumAgeSeconds !== undefined && age > headMaximumAgeSeconds) return yield* new RpcBehind()
    })
  )
  const proof = observing(chainProof(chainId), () =>
    Effect.flatMap(Clock.currentTimeMillis, now => note({ provedAt: now, hasMulticall: undefined }))
  )
  return { head, proofs: [proof, tag("safe"), tag("finalized")] }
}

const dueDuties = (facts: StationFacts, now: number, reads: Reads, { head, proofs }: Duties): Reads => {
  const wantsHead = !reads.includes(head)
  if (now - facts.provedAt >= PROOF_MILLIS) return wantsHead ? [...proofs, head] : proofs
  return wantsHead && now - facts.headSeenAt >= HEAD_MILLIS ? [head] : []
}

/** Gives answers the types of their reads, which an array of them loses. */
const typed = (
  untyped: (reads: Reads, spend: Spend) => Effect.Effect<ReadonlyArray<unknown>, RpcFailure>
): Station["read"] => {
  function read<const R extends Reads>(reads: R, spend: Spend): Effect.Effect<Answers<R>, RpcFailure>
  function read(reads: Reads, spend: Spend): Effect.Effect<ReadonlyArray<unknown>, RpcFailure> {
    return untyped(reads, spend)
  }
  return read
}

/** What was learned of a node that rests may be of another one by the time it is asked again. */
const rested = (now: number): Partial<StationFacts> => ({
  provedAt: unproved.provedAt,
  hasMulticall: undefined,
  restsUntil: now + REST_MILLIS
})

const RESTED_BY_READS: ReadonlyArray<RpcFailure["_tag"]> = ["RPC_TIMEOUT", "RPC_UNAVAILABLE"]

export const makeStation = (label: string, endpoint: Endpoint, rules: StationRules): Effect.Effect<Station> =>
  Effect.gen(function* () {
    const state = yield* Ref.make(unproved)
    const metrics = makeRpcMetrics(rules.chainId, label)
    const note: Note = facts => Ref.update(state, last => ({ ...last, ...facts }))
    const duties = dutiesOf(rules, state, note, metrics)
    const rest = Effect.zipRight(
      metrics.noteServing(false),
      Effect.flatMap(Clock.currentTimeMillis, now => note(rested(now)))
    )
    const askAll = Effect.fnUntraced(function* (reads: Reads, spend: Spend) {
      if (reads.length === 0) return []
      yield* spend(reads.length)
      const [elapsed, answers] = yield* Effect.timed(roundTrip(metrics, endpoint, reads))
      yield* note({ latencyMs: Duration.toMillis(elapsed) })
      return answers
    })
    const ask = Effect.fnUntraced(function* (reads: Reads, spend: Spend) {
      const { hasMulticall } = yield* Ref.get(state)
      if (hasMulticall === true) return yield* askAggregated(reads, some => askAll(some, spend))
      const probe = hasMulticall === undefined ? multicallProbe(reads) : undefined
      if (probe === undefined) return yield* askAll(reads, spend)
      const learned = observing(probe, has => note({ hasMulticall: has }))
      return (yield* askAll([...reads, learned], spend)).slice(0, reads.length)
    })
    const read = (reads: Reads, spend: Spend) =>
      Effect.tapError(ask(reads, spend), failure =>
        RESTED_BY_READS.includes(failure._tag) ? rest : Effect.void
      )
    const open = Effect.fnUntraced(function* (reads: Reads, spend: Spend) {
      const due = dueDuties(yield* Ref.get(state), yield* Clock.currentTimeMillis, reads, duties)
      const answers = yield* Effect.tapError(ask([...due, ...reads], spend), failure =>
        failure._tag === "RPC_BUDGET" ? Effect.void : rest
      )
      if (due.length > 0) yield* metrics.noteServing(true)
      return answers.slice(due.length)
    })
    return { label, facts: Ref.get(state), head: duties.head, read: typed(read), open: typed(open) }
  })
