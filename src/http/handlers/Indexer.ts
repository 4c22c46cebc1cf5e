import { Effect, Either, Schema } from "effect"
import { Indexer } from "../../indexer/Indexer.ts"
import { Json } from "../../indexer/IndexerSchemas.ts"
import { InvalidJson, type JsonRefusal, parseStrictJson } from "../../values/StrictJson.ts"
import { IndexerGroup } from "../api/Indexer.ts"
import { handling, reply } from "../Handlers.ts"

type Text = string | undefined

const parsed = (text: Text): Either.Either<Json | undefined, JsonRefusal> =>
  text === undefined
    ? Either.right(undefined)
    : Either.flatMap(parseStrictJson(text), value =>
        Either.mapLeft(Schema.decodeUnknownEither(Json)(value), () => new InvalidJson())
      )

interface Scoped {
  readonly network: "mainnet" | "testnet"
  readonly chainId?: number | undefined
  readonly projectId?: string | undefined
  readonly fields?: Text
}

interface Listed extends Scoped {
  readonly filters?: Text
  readonly orderBy?: Text
  readonly limit: number
  readonly cursor?: Text
}

const list = Effect.fnUntraced(function* (entity: string, query: Listed) {
  const indexer = yield* Indexer
  const fields = yield* parsed(query.fields)
  const filters = yield* parsed(query.filters)
  const orderBy = yield* parsed(query.orderBy)
  return reply(yield* indexer.list(entity, { ...query, fields, filters, orderBy }))
})

const record = Effect.fnUntraced(function* (entity: string, query: Scoped & { readonly id?: Text }) {
  const indexer = yield* Indexer
  const fields = yield* parsed(query.fields)
  const id = yield* parsed(query.id)
  return reply(yield* indexer.record(entity, { ...query, fields, id }))
})

const status = (network: Scoped["network"]) => Effect.flatMap(Indexer, indexer => indexer.status(network))

export const indexerHandlers = handling(IndexerGroup, {
  getIndexerStatus: ({ query }) => Effect.map(status(query.network), reply),
  getIndexerMetadata: ({ query }) =>
    Effect.map(status(query.network), ({ chains, ...frame }) =>
      reply({ entity: "_meta" as const, ...frame, item: { chains } })
    ),
  listIndexerEntity: ({ path, query }) => list(path.entity, query),
  getIndexerRecord: ({ path, query }) => record(path.entity, query)
})
