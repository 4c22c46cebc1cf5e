/** Calls a view or pure function of a proved contract; the proof and the call rest on the same block. */
import { Context, Effect, Layer } from "effect"
import { type Abi, isRead } from "../catalog/Abi.ts"
import { Catalog, type CatalogShape } from "../catalog/Catalog.ts"
import { type CallOutcome, ChainClient, type Snapshot } from "../chain/ChainClient.ts"
import { type RpcFailure, RpcInvalidResponse } from "../chain/refusals.ts"
import { type JsonRefusal, parseStrictJson } from "../values/StrictJson.ts"
import { decodeNamedValues } from "./AbiValues.ts"
import { nodeRefused } from "./Answers.ts"
import { type EncodedCall, encodeCall } from "./EncodeCall.ts"
import { inquireCall } from "./Inquiry.ts"
import { settledOnChain } from "./PackedCalls.ts"
import type { ProofRefusal } from "./Proof.ts"
import type { ReadQuery, ReadResult, ResolveQuery } from "./ProtocolSchemas.ts"
import { makeProving, type Prove } from "./Prove.ts"
import { Recollection } from "./Recollection.ts"
import { atItsBlock, blockOf, type SnapshotFailure } from "./ResolveContract.ts"
import { decodeRevert } from "./RevertReason.ts"
import { ofRevert } from "./RevertText.ts"
import {
  type AbiArgumentInvalid,
  CallReverted,
  FunctionMutabilityMismatch,
  type FunctionSignatureUnknown
} from "./refusals.ts"
import { type Target, type TargetRefusal, targetOf } from "./Target.ts"

interface ReadRequest extends ResolveQuery {
  readonly function: string
  readonly args: unknown
}

type CallRefusal = AbiArgumentInvalid | FunctionSignatureUnknown | FunctionMutabilityMismatch

type ReadRefusal = TargetRefusal | ProofRefusal | CallRefusal | CallReverted

interface PlannedRead {
  readonly abiHash: string
  readonly abi: Abi
  readonly call: EncodedCall
}

const planRead = Effect.fn("ReadContract.plan")(function* (
  catalog: CatalogShape,
  abiHash: string,
  request: ReadRequest
) {
  const abi = yield* Effect.orDie(catalog.abi(abiHash))
  const call = yield* encodeCall(abi, request.function, request.args)
  if (isRead(call.entry)) return { abiHash, abi, call }
  return yield* new FunctionMutabilityMismatch({
    detail: "The function changes state; prepare it as a plan.",
    context: { function: request.function, stateMutability: call.mutability }
  })
})

/** By the first interface that has the function, before the chain says which one the contract has. */
const planFirst = (catalog: CatalogShape, { abiHashes }: Target, request: ReadRequest) =>
  Effect.firstSuccessOf(abiHashes.map(abiHash => planRead(catalog, abiHash, request)))

const outputsOf = Effect.fn("ReadContract.outputs")(function* (
  { abi, call }: PlannedRead,
  outcome: CallOutcome | undefined
) {
  if (outcome === undefined) return yield* new RpcInvalidResponse()
  if (outcome._tag === "Refused") return yield* nodeRefused(outcome.code)
  if (outcome._tag === "Reverted") return yield* new CallReverted(ofRevert(decodeRevert(abi, outcome.data)))
  return yield* Effect.mapError(
    decodeNamedValues(call.entry.outputs, outcome.data),
    ({ type }) =>
      new RpcInvalidResponse({
        detail: "The returned data does not fit the ABI.",
        context: { type },
        retryable: false
      })
  )
})

const parseArguments = ({ args, ...query }: ReadQuery): Effect.Effect<ReadRequest, JsonRefusal> =>
  Effect.map(parseStrictJson(args), parsed => ({ ...query, args: parsed }))

const readWith = (catalog: CatalogShape, prove: Prove) =>
  Effect.fn("ReadContract.readAt")(function* (snapshot: Snapshot, request: ReadRequest) {
    const target = yield* targetOf(catalog, request)
    const likely = yield* planFirst(catalog, target, request)
    const { data } = likely.call
    const { resolution, also } = yield* prove(snapshot, request, target, to => inquireCall({ to, data }))
    const { abiHash, address } = resolution
    const planned = abiHash === likely.abiHash ? likely : yield* planRead(catalog, abiHash, request)
    const asked = { to: address, data: planned.call.data }
    const [told] = asked.data === data ? [also] : yield* snapshot.calls([asked])
    const { session, block } = snapshot
    const outcome = told && (yield* settledOnChain(session, asked, block.hash, told))
    const outputs = yield* outputsOf(planned, outcome)
    const { decodedArgs } = planned.call
    const result: ReadResult = { ...resolution, function: request.function, args: decodedArgs, outputs }
    return result
  })

const make = Effect.gen(function* () {
  const catalog = yield* Catalog
  const chain = yield* ChainClient
  const { prove, snapshotFor } = yield* makeProving
  const readAt = readWith(catalog, prove)
  return {
    readAt,
    read: Effect.fn("ReadContract.read")(function* (query: ReadQuery) {
      const request = yield* parseArguments(query)
      yield* chain.chain(request.chainId)
      const target = yield* targetOf(catalog, request)
      yield* planFirst(catalog, target, request)
      return yield* atItsBlock(
        request,
        readAt(yield* snapshotFor(request, target, blockOf(request)), request)
      )
    })
  }
})

export class ReadContract extends Context.Tag("protocol/ReadContract")<
  ReadContract,
  {
    /** Refuses whatever the catalog alone can refuse before it asks the chain. */
    readonly read: (
      query: ReadQuery
    ) => Effect.Effect<ReadResult, JsonRefusal | ReadRefusal | SnapshotFailure>
    /** As `read`, at a block of the request's chain that the caller already holds. */
    readonly readAt: (
      snapshot: Snapshot,
      request: ReadRequest
    ) => Effect.Effect<ReadResult, ReadRefusal | RpcFailure>
  }
>() {
  static readonly layer = Layer.provide(Layer.effect(ReadContract, make), Recollection.layer)
}
