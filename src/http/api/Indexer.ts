import { HttpApiGroup } from "@effect/platform"
import { Schema } from "effect"
import { ChainIdParameter, IntegerParameterOr } from "../../catalog/QueryParameters.ts"
import { entities } from "../../indexer/Entities.ts"
import { rowName, rowSchemas } from "../../indexer/EntitySchemas.ts"
import {
  IndexerCatalog,
  IndexerMetadata,
  IndexerPage,
  IndexerRecord,
  IndexerStatus,
  Json,
  Network,
  pageSchema,
  recordOf
} from "../../indexer/IndexerSchemas.ts"
import { LIMITS, MAX_INT32 } from "../../indexer/Limits.ts"
import { INDEXER_PROBLEMS } from "../../indexer/refusals.ts"
import type { ProblemCode } from "../../values/ProblemRegister.ts"
import { MAX_SAFE } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { pinned, signed } from "./Access.ts"
import { JSON_PROBLEMS } from "./CommonProblems.ts"
import { declare, withPaths } from "./Declare.ts"

const json = (description: string) => Schema.optional(Schema.String.annotations({ description }))

const scopeTo = (greatestProject: number) => ({
  network: Network,
  chainId: Schema.optional(ChainIdParameter),
  projectId: Schema.optional(
    Schema.String.pipe(Schema.pattern(/^(?:0|[1-9][0-9]{0,15})$/)).annotations({
      description: `a decimal project id of at most ${greatestProject}`
    })
  ),
  fields: json(
    "scalar paths as a JSON array; the first scalars where absent, without JSON and documents such as tokenUri; identity fields always"
  )
})

const ListQuery = strict({
  ...scopeTo(MAX_INT32),
  filters: json(
    "a JSON object of the entity's filters, with AND and OR; no row has a project id beyond 32 bits"
  ),
  orderBy: json("a JSON object with field and direction"),
  limit: IntegerParameterOr(1, LIMITS.maxRows, LIMITS.defaultRows),
  cursor: Schema.optional(Schema.String.annotations({ description: "the nextCursor of the page before" }))
})

const RecordQuery = strict({
  ...scopeTo(MAX_SAFE),
  id: json("key parts as a JSON object, or as a JSON string the one part that the scope leaves open")
})

const NetworkQuery = strict({ network: Network })

const Fields = Schema.Array(Schema.String).pipe(Schema.minItems(1), Schema.maxItems(LIMITS.maxFields))
const Members = Schema.Record({ key: Schema.String, value: Json })

const listJson = {
  fields: Fields,
  filters: Members,
  orderBy: Schema.Struct({
    field: Schema.String,
    direction: Schema.optionalWith(Schema.Literal("asc", "desc"), { exact: true })
  })
}
const recordJson = { fields: Fields, id: Schema.Union(Schema.String, Members) }

const SELECTING = [
  ...INDEXER_PROBLEMS,
  ...JSON_PROBLEMS,
  "INDEXER_INVALID_INPUT",
  "INDEXER_UNSAFE_INTEGER",
  "INDEXER_NETWORK_MISMATCH",
  "INDEXER_UNSUPPORTED_SCOPE",
  "INDEXER_INVALID_FIELDS",
  "INDEXER_SELECTION_TOO_COMPLEX",
  "INDEXER_UNSUPPORTED_RELATION",
  "INDEXER_UNSUPPORTED_ENTITY",
  "INDEXER_VERSION_MISMATCH",
  "INDEXER_RELATION_UNAVAILABLE",
  "INDEXER_VERSION_FIXED"
] as const satisfies ReadonlyArray<ProblemCode>

const LISTING = [
  ...SELECTING,
  "INDEXER_UNSUPPORTED_FILTER",
  "INDEXER_FILTER_TOO_COMPLEX",
  "INDEXER_INVALID_ORDER",
  "INDEXER_INVALID_CURSOR"
] as const satisfies ReadonlyArray<ProblemCode>

const RECORDING = [
  ...SELECTING,
  "INDEXER_COMPOSITE_KEY_REQUIRED",
  "INDEXER_SCOPE_MISMATCH"
] as const satisfies ReadonlyArray<ProblemCode>

/** Rows are checked where they are read. */
const PageAnswer = pageSchema(Schema.Unknown)
const RecordAnswer = recordOf(Schema.Unknown)

const EntityPath = strict({
  entity: Schema.String.annotations({
    description: "an entity of the catalog",
    jsonSchema: { type: "string", enum: entities.map(({ name }) => name) }
  })
})

export const indexerCatalog = declare({
  name: "getIndexerCatalog",
  method: "GET",
  at: "/api/v1/catalog/indexer",
  access: pinned,
  summary: "The entities of the indexed source",
  description:
    "Every entity with its key, fields, relations and filters, what a configured source does not serve, and the limits.",
  success: IndexerCatalog
})

export const indexerStatus = declare({
  name: "getIndexerStatus",
  method: "GET",
  at: "/api/v1/indexer/status",
  access: signed({}),
  summary: "How far the source has indexed",
  description: "The latest indexed block of every chain of the network.",
  query: NetworkQuery,
  success: IndexerStatus,
  problems: INDEXER_PROBLEMS
})

export const indexerMetadata = declare({
  name: "getIndexerMetadata",
  method: "GET",
  at: "/api/v1/indexer/_meta/record",
  access: signed({}),
  summary: "The status as a record",
  description: "What the status route answers, in the form of a record.",
  query: NetworkQuery,
  success: IndexerMetadata,
  problems: INDEXER_PROBLEMS
})

const WALKS = [
  "One page of version-6 rows; keep everything else unchanged and follow nextCursor until it is null.",
  "Pages are no snapshot. A walk gives no row twice, and every row that stays from its first page to its last with the value that it is ordered by;",
  "a row that comes, goes or changes that value meanwhile is given once or not at all.",
  "For that a cursor remembers the latest rows that were given, about 400 of them, and fewer beside long filters:",
  "beyond those, a row whose value moves it ahead may come again, unless the order is that of the key.",
  "A page may have fewer rows than limit, or none, before the last one.",
  "Texts are cut at 32768 bytes, and what no answer can hold is absent; degraded then says of which row and field, and why."
].join(" ")

type Place<Name extends string> = readonly [
  name: Name,
  at: `/${string}`,
  of: string,
  row: Schema.Schema.AnyNoContext | undefined
]

const readAt = <Name extends string>(name: Name, at: `/${string}`) => ({
  name,
  method: "GET" as const,
  at,
  access: signed({})
})

const listAt = <Name extends string>(...[name, at, of, row]: Place<Name>) => ({
  ...readAt(name, at),
  summary: `List ${of}`,
  description: WALKS,
  query: ListQuery,
  success: PageAnswer,
  jsonQuery: listJson,
  shown: { query: ListQuery, success: row === undefined ? IndexerPage : pageSchema(row) },
  problems: LISTING
})

const recordAt = <Name extends string>(...[name, at, of, row]: Place<Name>) => ({
  ...readAt(name, at),
  summary: `Read one record of ${of}`,
  description:
    "By its primary key at version 6; item is null where the source has no such record. Texts are cut at 32768 bytes and told of in degraded.",
  query: RecordQuery,
  success: RecordAnswer,
  jsonQuery: recordJson,
  shown: { query: RecordQuery, success: row === undefined ? IndexerRecord : recordOf(row) },
  problems: RECORDING
})

export const indexerList = declare({
  ...listAt("listIndexerEntity", "/api/v1/indexer/:entity", "an entity", undefined),
  path: EntityPath,
  problems: [...LISTING, "INDEXER_ENTITY_NOT_FOUND"]
})

export const indexerRecord = declare({
  ...recordAt("getIndexerRecord", "/api/v1/indexer/:entity/record", "an entity", undefined),
  path: EntityPath,
  problems: [...RECORDING, "INDEXER_ENTITY_NOT_FOUND"]
})

/** The two paths of its own that each entity has. */
export const entityRoutes = entities.map(({ name }) => ({
  entity: name,
  list: declare({
    ...listAt<string>(`list${rowName(name)}s`, `/api/v1/indexer/${name}`, name, rowSchemas.get(name)),
    instance: { of: "listIndexerEntity", path: { entity: name } }
  }),
  record: declare({
    ...recordAt<string>(`get${rowName(name)}`, `/api/v1/indexer/${name}/record`, name, rowSchemas.get(name)),
    instance: { of: "getIndexerRecord", path: { entity: name } }
  })
}))

export const IndexerGroup = withPaths(
  HttpApiGroup.make("Indexer").add(indexerStatus).add(indexerMetadata).add(indexerList).add(indexerRecord),
  entityRoutes.flatMap(({ list, record }) => [list, record])
)
