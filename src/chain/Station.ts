/** One endpoint of a chain and the duties before it may serve: its chain id proved, its head fresh. */
import { type Clock, Effect, Either, Option, type Scope } from "effect"
import { steadyMillis } from "../values/SteadyClock.ts"
import type { Spend } from "./CallBudget.ts"
import type { Answers, Block, FinalityTag, Read } from "./ChainClient.ts"
import type { RpcEndpoint } from "./Endpoint.ts"
import { OversizedAnswer } from "./HttpExchange.ts"
import type { RpcAnswer } from "./JsonRpc.ts"
import { askAggregated, multicallProbe } from "./Multicall.ts"
import { isOfQuestion, NodeRefusal } from "./NodeRefusal.ts"
import { chainProof, finalityProbe, latestBlock } from "./Reads.ts"
import { makeRpcMetrics, type RpcMetrics } from "./RpcMetrics.ts"
import { RpcBehind, type RpcFailure, RpcUnavailable } from "./refusals.ts"

type Reads = ReadonlyArray<Read<unknown>>
type Values = ReadonlyArray<unknown>

interface Duties {
  readonly head: Read<Block>
  readonly proofs: Reads
}

export interface StationRules {
  readonly chainId: number
  /** Undefined where an old head is normal. */
  readonly headMaximumAgeSeconds: number | undefined
}

/** Times are of the steady clock; never is long before it began. */
export interface StationFacts {
  readonly provedAt: number
  readonly headSeenAt: number
  readonly answeredAt: number
  readonly head: Pick<Block, "number" | "hash" | "timestamp"> | null
  readonly latencyMs: number | null
  /** Others are asked before it. */
  readonly restsUntil: number
  /** It does not serve. */
  readonly failsUntil: number
  readonly finality: { readonly safe: boolean; readonly finalized: boolean }
  /** Undefined until a block that has it, or the head, was looked at for it. */
  readonly hasMulticall: boolean | undefined
}

export interface Station {
  readonly label: string
  readonly facts: () => StationFacts
  readonly read: <const R extends Reads>(reads: R, spend: Spend) => Effect.Effect<Answers<R>, RpcFailure>
  /** Of a block of which the node may have nothing any more: that it refuses shows nothing of it. */
  readonly readPast: Station["read"]
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
  answeredAt: Number.NEGATIVE_INFINITY,
  head: null,
  latencyMs: null,
  restsUntil: Number.NEGATIVE_INFINITY,
  failsUntil: Number.NEGATIVE_INFINITY,
  finality: { safe: false, finalized: false },
  hasMulticall: undefined
}

/** A tag's block that is told shows that the node serves the tag. */
const valueOf = (
  read: Read<unknown>,
  answer: RpcAnswer | undefined,
  { facts, note }: Memory
): Either.Either<unknown, RpcFailure> => {
  if (answer === undefined) return Either.left(new RpcUnavailable())
  const { finalityTag: tag } = read
  const { finality } = facts()
  if (answer._tag === "NodeError") {
    const value = read.onNodeError?.(answer, tag !== undefined && finality[tag])
    return value === undefined ? Either.left(new NodeRefusal(read, answer.code)) : Either.right(value)
  }
  const told = read.decode(answer.result)
  if (tag !== undefined && Either.isRight(told) && told.right !== null)
    note({ finality: { ...finality, [tag]: true } })
  return told
}

const valuesOf = (
  reads: Reads,
  answers: ReadonlyArray<RpcAnswer>,
  memory: Memory
): Either.Either<Values, RpcFailure> => {
  const values: Array<unknown> = []
  for (const [index, read] of reads.entries()) {
    const value = valueOf(read, answers[index], memory)
    if (Either.isLeft(value)) return Either.left(value.left)
    values.push(value.right)
  }
  return Either.right(values)
}

const observing = <A>(read: Read<A>, observe: (value: A) => Either.Either<void, RpcFailure>): Read<A> => ({
  ...read,
  decode: result => Either.flatMap(read.decode(result), value => Either.map(observe(value), () => value))
})

/** What is known of a station, and the way to note more. */
interface Memory {
  readonly facts: () => StationFacts
  readonly note: (facts: Partial<StationFacts>) => Either.Either<void>
}

/** What was never asked is silent from the start. */
const makeMemory = (startedAt: number): Memory => {
  let state: StationFacts = { ...unproved, answeredAt: startedAt }
  return {
    facts: () => state,
    note: facts => {
      state = { ...state, ...facts }
      return Either.void
    }
  }
}

const tooOld = (seconds: number): string =>
  `The latest block of the chain's node is ${Math.round(seconds)} seconds old by the clock of the service's host: the node is behind, or that clock is ahead.`

/** The reads that prove a station, noting what they show as their answers are read. */
const dutiesOf = (
  { chainId, headMaximumAgeSeconds }: StationRules,
  { facts, note }: Memory,
  clock: Clock.Clock
): Duties => {
  const tag = (name: FinalityTag) =>
    observing(finalityProbe(chainId, name), block =>
      note({ finality: { ...facts().finality, [name]: block !== null } })
    )
  const head = observing(latestBlock(chainId), block => {
    const age = Math.max(0, clock.unsafeCurrentTimeMillis() / 1_000 - Number(block.timestamp))
    const { number, hash, timestamp } = block
    const seen = note({ headSeenAt: steadyMillis(clock), head: { number, hash, timestamp } })
    return headMaximumAgeSeconds !== undefined && age > headMaximumAgeSeconds
      ? Either.left(new RpcBehind({ detail: tooOld(age) }))
      : seen
  })
  const proof = observing(chainProof(chainId), () =>
    note({ provedAt: steadyMillis(clock), hasMulticall: undefined })
  )
  return { head, proofs: [proof, tag("safe"), tag("finalized")] }
}

const dueDuties = (facts: StationFacts, now: number, reads: Reads, { head, proofs }: Duties): Reads => {
  const wantsHead = !reads.includes(head)
  if (now - facts.provedAt >= PROOF_MILLIS) return wantsHead ? [...proofs, head] : proofs
  return wantsHead && now - facts.headSeenAt >= HEAD_MILLIS ? [head] : []
}

type Ask = (reads: Reads, spend: Spend) => Effect.Effect<Values, RpcFailure>

/** Gives answers the types of their reads, which an array of them loses. */
const typed = (untyped: Ask): Station["read"] => {
  function read<const R extends Reads>(reads: R, spend: Spend): Effect.Effect<Answers<R>, RpcFailure>
  function read(reads: Reads, spend: Spend): Effect.Effect<Values, RpcFailure> {
    return untyped(reads, spend)
  }
  return read
}

/** What was learned of a node that rests may be of another one by the time it is asked again. */
const rested = (now: number): Partial<StationFacts> => ({
  provedAt: unproved.provedAt,
  hasMulticall: undefined,
  restsUntil: now + REST_MILLIS,
  failsUntil: now + REST_MILLIS
})

/** It may come of any of the questions of its round trip. */
const isOfTrip = (failure: RpcFailure): boolean =>
  failure._tag === "RPC_TIMEOUT" || failure instanceof OversizedAnswer

const secondsFor = (reads: Reads): number =>
  reads.reduce((longest, { deadlineSeconds = 0 }) => Math.max(longest, deadlineSeconds), USUAL_SECONDS)

/** One round trip, and what it shows of the endpoint. */
const makeAsk = (endpoint: RpcEndpoint, memory: Memory, metrics: RpcMetrics, clock: Clock.Clock): Ask => {
  const { facts, note } = memory
  const askAll: Ask = (reads, spend) =>
    Effect.suspend(() => {
      if (reads.length === 0) return Effect.succeed([])
      const refused = spend(reads.length)
      if (refused !== undefined) return Effect.fail(refused)
      const methods = reads.map(({ method }) => method)
      const started = performance.now()
      const told = <A>(result: Either.Either<A, RpcFailure>): Either.Either<A, RpcFailure> => {
        const took = performance.now() - started
        metrics.noteTrip(methods, took / 1_000, Option.getOrUndefined(Either.getLeft(result)))
        if (Either.isRight(result)) note({ latencyMs: took })
        return result
      }
      return Effect.matchEffect(endpoint.ask(reads, secondsFor(reads)), {
        onFailure: failure => told(Either.left(failure)),
        onSuccess: answers => {
          note({ answeredAt: steadyMillis(clock) })
          return told(valuesOf(reads, answers, memory))
        }
      })
    })
  return (reads, spend) => {
    const { hasMulticall } = facts()
    if (hasMulticall === true) return askAggregated(reads, some => askAll(some, spend))
    const probe = hasMulticall === undefined ? multicallProbe(reads) : undefined
    if (probe === undefined) return askAll(reads, spend)
    /** An older block may be of before its creation. */
    const learned = observing(probe.has, has =>
      has || probe.at === facts().head?.hash ? note({ hasMulticall: has }) : Either.void
    )
    return Effect.map(askAll([...reads, learned], spend), answers => answers.slice(0, reads.length))
  }
}

/** Who waits no longer for a node shows of it what its own deadline would have. */
const SILENT_MILLIS = 2_000

const notingSilence =
  (ask: Ask, clock: Clock.Clock, note: () => void): Ask =>
  (reads, spend) =>
    Effect.suspend(() => {
      const began = steadyMillis(clock)
      const left = Effect.sync(() => {
        if (steadyMillis(clock) - began >= SILENT_MILLIS) note()
      })
      return Effect.onInterrupt(ask(reads, spend), () => left)
    })

export const makeStation = (
  label: string,
  endpoint: RpcEndpoint,
  rules: StationRules
): Effect.Effect<Station, never, Scope.Scope> =>
  Effect.gen(function* () {
    const clock = yield* Effect.clock
    const memory = makeMemory(steadyMillis(clock))
    const { facts, note } = memory
    const metrics = yield* makeRpcMetrics(rules.chainId, label, facts, clock)
    const duties = dutiesOf(rules, memory, clock)
    const rest = () => {
      metrics.noteServing(false)
      return note(rested(steadyMillis(clock)))
    }
    /** Whether another node can answer the question, or in time and in size, is tried; whoever asked it shows nobody that this one fails. */
    const stepBack = () => note({ restsUntil: steadyMillis(clock) + REST_MILLIS })
    const ask = notingSilence(makeAsk(endpoint, memory, metrics, clock), clock, stepBack)
    const reading =
      (isPast: boolean): Ask =>
      (reads, spend) =>
        Effect.tapError(
          Effect.suspend(() => ask(reads, spend)),
          failure => {
            if (isPast && isOfQuestion(failure)) return Effect.void
            if (isOfQuestion(failure) || failure._tag === "RPC_TIMEOUT") return stepBack()
            return failure._tag === "RPC_UNAVAILABLE" ? rest() : Effect.void
          }
        )
    const open: Ask = (reads, spend) =>
      Effect.suspend(() => {
        const due = dueDuties(facts(), steadyMillis(clock), reads, duties)
        return Effect.matchEffect(ask(due.length === 0 ? reads : [...due, ...reads], spend), {
          onFailure: failure => {
            const isOfDuty = (each: Read<unknown>) => [...due, duties.head].includes(each)
            const isCallers = isOfQuestion(failure)
              ? !isOfDuty(failure.read)
              : isOfTrip(failure) && !reads.every(isOfDuty)
            if (isCallers) stepBack()
            else if (failure._tag !== "RPC_BUDGET") rest()
            return Effect.fail(failure)
          },
          onSuccess: answers => {
            if (due.length === 0) return Effect.succeed(answers)
            metrics.noteServing(true)
            return Effect.succeed(answers.slice(due.length))
          }
        })
      })
    const reads = { read: typed(reading(false)), readPast: typed(reading(true)), open: typed(open) }
    return { label, facts, head: duties.head, ...reads }
  })
