/** Turns a contract of the catalog into an address that its chain proves at one canonical block. */
import { Context, Effect, Layer } from "effect"
import { Catalog } from "../catalog/Catalog.ts"
import { ChainClient, type Snapshot } from "../chain/ChainClient.ts"
import { isOfQuestion } from "../chain/NodeRefusal.ts"
import { BlockUnavailable, type RpcFailure, type UnsupportedChain } from "../chain/refusals.ts"
import { settled } from "./Inquiry.ts"
import type { ProofRefusal } from "./Proof.ts"
import type { Resolution, ResolveQuery } from "./ProtocolSchemas.ts"
import { makeProving } from "./Prove.ts"
import { Recollection } from "./Recollection.ts"
import { type TargetRefusal, targetOf } from "./Target.ts"

export type SnapshotFailure = RpcFailure | UnsupportedChain | BlockUnavailable

const make = Effect.gen(function* () {
  const catalog = yield* Catalog
  const chain = yield* ChainClient
  const { prove, snapshotFor } = yield* makeProving
  const resolveAt = Effect.fn("ResolveContract.resolveAt")(function* (
    snapshot: Snapshot,
    query: ResolveQuery
  ) {
    const target = yield* targetOf(catalog, query)
    return (yield* prove(snapshot, query, target, () => settled(undefined))).resolution
  })
  return {
    resolveAt,
    resolve: Effect.fn("ResolveContract.resolve")(function* (query: ResolveQuery) {
      yield* chain.chain(query.chainId)
      const target = yield* targetOf(catalog, query)
      return yield* atItsBlock(query, resolveAt(yield* snapshotFor(query, target, blockOf(query)), query))
    })
  }
})

/** The block that a query names; undefined means the latest. */
export const blockOf = ({ blockNumber }: ResolveQuery): bigint | undefined =>
  blockNumber === undefined ? undefined : BigInt(blockNumber)

/** What a node refuses of a block that was asked for by its number is not there any more. */
export const atItsBlock = <A, E>(
  query: ResolveQuery,
  asked: Effect.Effect<A, E>
): Effect.Effect<A, E | BlockUnavailable> =>
  blockOf(query) === undefined
    ? asked
    : Effect.catchIf(
        asked,
        (failure): boolean => isOfQuestion(failure),
        () => new BlockUnavailable()
      )

export class ResolveContract extends Context.Tag("protocol/ResolveContract")<
  ResolveContract,
  {
    readonly resolve: (
      query: ResolveQuery
    ) => Effect.Effect<Resolution, TargetRefusal | ProofRefusal | SnapshotFailure>
    /** As `resolve`, at a block of the query's chain that the caller already holds. */
    readonly resolveAt: (
      snapshot: Snapshot,
      query: ResolveQuery
    ) => Effect.Effect<Resolution, TargetRefusal | ProofRefusal | RpcFailure>
  }
>() {
  static readonly layer = Layer.provide(Layer.effect(ResolveContract, make), Recollection.layer)
}
