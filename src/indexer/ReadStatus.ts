/** How far a source has followed its chains. */
import { Effect, Option, Schema } from "effect"
import { type AnsweringSource, answerFrame } from "./Answering.ts"
import { STATUS_QUESTION } from "./Document.ts"
import { type IndexerStatus, MOST_CHAINS, type Network } from "./IndexerSchemas.ts"
import { CHAIN_NAMES, type Chains } from "./Networks.ts"
import { IdentityMismatch, InvalidResponse } from "./refusals.ts"
import type { Sources } from "./Sources.ts"

const Status = Schema.Struct({
  _meta: Schema.Struct({
    status: Schema.Record({
      key: Schema.String,
      value: Schema.Struct({
        id: Schema.optional(Schema.Int),
        block: Schema.NullOr(
          Schema.Struct({
            number: Schema.NullOr(Schema.NonNegativeInt),
            timestamp: Schema.NullOr(Schema.NonNegativeInt)
          })
        )
      })
    })
  })
})

type Progress = IndexerStatus["chains"][number]

const progressOf = (data: unknown): Option.Option<ReadonlyArray<Progress>> =>
  Option.flatMap(Schema.decodeUnknownOption(Status)(data), ({ _meta: { status } }) => {
    const chains = Object.entries(status).flatMap(([name, { id, block }]): ReadonlyArray<Progress> => {
      const chainId = id ?? CHAIN_NAMES.get(name)
      if (chainId === undefined) return []
      return [{ chainId, block: block?.number ?? null, timestamp: block?.timestamp ?? null }]
    })
    const isWhole = chains.length === Object.keys(status).length
    const isDistinct = new Set(chains.map(({ chainId }) => chainId)).size === chains.length
    return isWhole && isDistinct && chains.length >= 1 && chains.length <= MOST_CHAINS
      ? Option.some(chains.toSorted((a, b) => a.chainId - b.chainId))
      : Option.none()
  })

export const makeStatus = (sources: Sources, chains: Chains, answering: AnsweringSource) =>
  Effect.fn("Indexer.status")(function* (network: Network) {
    const { ask } = yield* sources.of(network)
    const { data, observedAt } = yield* ask(STATUS_QUESTION)
    const progress = progressOf(data)
    if (Option.isNone(progress)) return yield* new InvalidResponse()
    if (progress.value.some(({ chainId }) => !chains[network].has(chainId)))
      return yield* new IdentityMismatch({ context: { entity: "_meta", member: "chainId" } })
    const status: IndexerStatus = {
      ...answerFrame(answering, network, observedAt),
      chains: progress.value
    }
    return status
  })
