/** What a transaction called: by its own fields, and inside it as far as a node tells. */
import { Either, Schema } from "effect"
import { fits } from "../values/Conforms.ts"
import { Address, Bytes32, Hex } from "../values/Scalars.ts"
import type { Read } from "./ChainClient.ts"
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

const Frame = Schema.Struct({
  type: Schema.String,
  from: Hex,
  to: Schema.optional(Schema.NullOr(Hex)),
  input: Schema.optional(Schema.NullOr(Hex)),
  output: Schema.optional(Schema.NullOr(Hex)),
  error: Schema.optional(Schema.NullOr(Schema.String)),
  calls: Schema.optional(Schema.NullOr(Schema.Array(Schema.Unknown)))
})

const isFrame = fits(Frame)

/** One call within a transaction, with the one that made it. */
export interface TracedCall {
  /** The opcode, such as CALL or DELEGATECALL. */
  readonly kind: string
  /** Lower case, as all of a trace. */
  readonly from: Hex
  readonly to: Hex | null
  readonly input: Hex
  readonly output: Hex
  /** It was undone, by itself or with a call around it. */
  readonly undone: boolean
  readonly within: TracedCall | undefined
}

export type TraceOutcome =
  | { readonly _tag: "Traced"; readonly calls: ReadonlyArray<TracedCall> }
  | { readonly _tag: "Refused"; readonly code: number }

interface Place {
  readonly frame: unknown
  readonly within: TracedCall | undefined
}

/** Without recursion: a trace may be as deep as the machine's stack of calls. */
const callsIn = (root: unknown): Decoded<ReadonlyArray<TracedCall>> => {
  const calls: Array<TracedCall> = []
  const open: Array<Place> = [{ frame: root, within: undefined }]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { frame, within } = place
    if (!isFrame(frame)) return Either.left(new RpcInvalidResponse())
    const call: TracedCall = {
      kind: frame.type,
      from: frame.from,
      to: frame.to ?? null,
      input: frame.input ?? "0x",
      output: frame.output ?? "0x",
      undone: (frame.error ?? null) !== null || within?.undone === true,
      within
    }
    calls.push(call)
    for (const inner of frame.calls ?? []) open.push({ frame: inner, within: call })
  }
  return Either.right(calls)
}

/** Every call of a mined transaction; many nodes refuse the method. */
export const transactionTrace = (hash: Bytes32): Read<TraceOutcome> => ({
  method: "debug_traceTransaction",
  params: [hash, { tracer: "callTracer" }],
  deadlineSeconds: TRACE_SECONDS,
  decode: result => Either.map(callsIn(result), calls => ({ _tag: "Traced", calls }) as const),
  onNodeError: ({ code }) => ({ _tag: "Refused", code })
})
