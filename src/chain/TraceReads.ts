/** What a transaction called: by its own fields, and inside it as far as a node tells. */
import { Either, Schema } from "effect"
import { fits } from "../values/Conforms.ts"
import { Address, Bytes32, Hex } from "../values/Scalars.ts"
import type { RawLog, Read } from "./ChainClient.ts"
import { RpcInvalidResponse } from "./refusals.ts"
import { asked, type Decoded, decodeAs, Quantity } from "./Wire.ts"

const TRACE_SECONDS = 10

const SentTransaction = Schema.Struct({
  hash: Bytes32,
  to: Schema.NullOr(Address),
  input: Hex,
  value: Quantity
})
export type SentTransaction = typeof SentTransaction.Type

const readSent = decodeAs(Schema.NullOr(SentTransaction))

/** Null where the node does not know the hash. */
export const sentTransaction = (hash: Bytes32): Read<SentTransaction | null> => ({
  method: "eth_getTransactionByHash",
  params: [hash],
  decode: result =>
    Either.flatMap(
      readSent(result),
      asked(transaction => transaction === null || transaction.hash === hash)
    )
})

const Count = Schema.String.pipe(Schema.pattern(/^0x[0-9a-f]{1,64}$/))

const FrameLog = Schema.Struct({
  address: Hex,
  topics: Schema.Array(Hex),
  data: Hex,
  /** How many calls of its frame came before it. */
  position: Schema.optional(Schema.NullOr(Count))
})

const Frame = Schema.Struct({
  type: Schema.String,
  from: Hex,
  to: Schema.optional(Schema.NullOr(Hex)),
  value: Schema.optional(Schema.NullOr(Count)),
  input: Schema.optional(Schema.NullOr(Hex)),
  output: Schema.optional(Schema.NullOr(Hex)),
  error: Schema.optional(Schema.NullOr(Schema.String)),
  calls: Schema.optional(Schema.NullOr(Schema.Array(Schema.Unknown))),
  logs: Schema.optional(Schema.NullOr(Schema.Array(FrameLog)))
})

const isFrame = fits(Frame)

/** One call within a transaction, with the one that made it. */
export interface TracedCall {
  /** The opcode, such as CALL or DELEGATECALL. */
  readonly kind: string
  /** Lower case, as all of a trace. */
  readonly from: Hex
  readonly to: Hex | null
  readonly value: bigint
  readonly input: Hex
  readonly output: Hex
  /** It was undone, by itself or with a call around it. */
  readonly undone: boolean
  readonly within: TracedCall | undefined
}

export interface TracedLog extends Pick<RawLog, "address" | "topics" | "data"> {
  /** The call that wrote it. */
  readonly by: TracedCall
}

export interface Trace {
  /** Each before those that it made. */
  readonly calls: ReadonlyArray<TracedCall>
  /** As they were written; none where they were not asked for. */
  readonly logs: ReadonlyArray<TracedLog>
}

export type TraceOutcome =
  | (Trace & { readonly _tag: "Traced" })
  | { readonly _tag: "Refused"; readonly code: number }

interface Place {
  readonly frame: unknown
  readonly within: TracedCall | undefined
}

const callOf = (frame: typeof Frame.Type, within: TracedCall | undefined): TracedCall => ({
  kind: frame.type,
  from: frame.from,
  to: frame.to ?? null,
  value: BigInt(frame.value ?? 0),
  input: frame.input ?? "0x",
  output: frame.output ?? "0x",
  undone: (frame.error ?? null) !== null || within?.undone === true,
  within
})

/** The frame's calls with its own logs between them; undefined where their order is not told. */
const partsOf = (frame: typeof Frame.Type, by: TracedCall): ReadonlyArray<Place | TracedLog> | undefined => {
  const calls = (frame.calls ?? []).map((inner): Place => ({ frame: inner, within: by }))
  const logs = (frame.logs ?? []).map(({ position, ...log }) => ({
    at: position === undefined || position === null ? undefined : Number(position),
    log: { ...log, by }
  }))
  if (calls.length > 0 && logs.some(({ at }) => at === undefined)) return undefined
  const before = (index: number) => logs.filter(({ at = 0 }) => at === index).map(({ log }) => log)
  return [...calls.flatMap((call, index) => [...before(index), call]), ...before(calls.length)]
}

/** Without recursion: a trace may be as deep as the machine's stack of calls. */
const traceIn = (root: unknown): Decoded<Trace> => {
  const calls: Array<TracedCall> = []
  const logs: Array<TracedLog> = []
  const open: Array<Place | TracedLog> = [{ frame: root, within: undefined }]
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if ("by" in part) {
      logs.push(part)
      continue
    }
    const { frame, within } = part
    if (!isFrame(frame)) return Either.left(new RpcInvalidResponse())
    const call = callOf(frame, within)
    const parts = partsOf(frame, call)
    if (parts === undefined) return Either.left(new RpcInvalidResponse())
    calls.push(call)
    for (const inner of parts.toReversed()) open.push(inner)
  }
  return Either.right({ calls, logs })
}

const tracing = (hash: Bytes32, config: object): Read<TraceOutcome> => ({
  method: "debug_traceTransaction",
  params: [hash, { tracer: "callTracer", ...config }],
  deadlineSeconds: TRACE_SECONDS,
  decode: result => Either.map(traceIn(result), trace => ({ _tag: "Traced", ...trace }) as const),
  onNodeError: ({ code }) => ({ _tag: "Refused", code })
})

/** Every call of a mined transaction; many nodes refuse the method. */
export const transactionTrace = (hash: Bytes32): Read<TraceOutcome> => tracing(hash, {})

/** With what each call wrote. */
export const loggedTrace = (hash: Bytes32): Read<TraceOutcome> =>
  tracing(hash, { tracerConfig: { withLog: true } })
