import type { ProblemCode } from "../values/ProblemRegister.ts"
import { Refusal } from "../values/Refusal.ts"

/** Of every question to a source. */
export const INDEXER_PROBLEMS = [
  "INDEXER_NOT_CONFIGURED",
  "INDEXER_UNAVAILABLE",
  "INDEXER_TIMEOUT",
  "INDEXER_UPSTREAM_HTTP_ERROR",
  "INDEXER_GRAPHQL_ERROR",
  "INDEXER_INVALID_RESPONSE",
  "INDEXER_RESPONSE_TOO_LARGE",
  "INDEXER_IDENTITY_MISMATCH"
] as const satisfies ReadonlyArray<ProblemCode>

export class InvalidIndexerInput extends Refusal("INDEXER_INVALID_INPUT") {}
export class UnsafeInteger extends Refusal("INDEXER_UNSAFE_INTEGER") {}
export class NetworkMismatch extends Refusal("INDEXER_NETWORK_MISMATCH") {}
export class ScopeMismatch extends Refusal("INDEXER_SCOPE_MISMATCH") {}
export class UnsupportedScope extends Refusal("INDEXER_UNSUPPORTED_SCOPE") {}
export class InvalidFields extends Refusal("INDEXER_INVALID_FIELDS") {}
export class SelectionTooComplex extends Refusal("INDEXER_SELECTION_TOO_COMPLEX") {}
export class UnsupportedRelation extends Refusal("INDEXER_UNSUPPORTED_RELATION") {}
export class UnsupportedFilter extends Refusal("INDEXER_UNSUPPORTED_FILTER") {}
export class FilterTooComplex extends Refusal("INDEXER_FILTER_TOO_COMPLEX") {}
export class VersionFixed extends Refusal("INDEXER_VERSION_FIXED") {}
export class InvalidOrder extends Refusal("INDEXER_INVALID_ORDER") {}
export class InvalidIndexerCursor extends Refusal("INDEXER_INVALID_CURSOR") {}
export class CompositeKeyRequired extends Refusal("INDEXER_COMPOSITE_KEY_REQUIRED") {}
export class EntityNotFound extends Refusal("INDEXER_ENTITY_NOT_FOUND") {}
export class UnsupportedEntity extends Refusal("INDEXER_UNSUPPORTED_ENTITY") {}
export class NotConfigured extends Refusal("INDEXER_NOT_CONFIGURED") {}
export class Unavailable extends Refusal("INDEXER_UNAVAILABLE") {}
export class Timeout extends Refusal("INDEXER_TIMEOUT") {}
export class UpstreamHttpError extends Refusal("INDEXER_UPSTREAM_HTTP_ERROR") {}
export class GraphqlError extends Refusal("INDEXER_GRAPHQL_ERROR") {}
/** The source did not take the question itself: it serves something else than it was last seen to. */
export class QuestionRefused extends GraphqlError {}
export class InvalidResponse extends Refusal("INDEXER_INVALID_RESPONSE") {}
export class SourceAnswerTooLarge extends Refusal("INDEXER_RESPONSE_TOO_LARGE") {}
export class VersionMismatch extends Refusal("INDEXER_VERSION_MISMATCH") {}
export class IdentityMismatch extends Refusal("INDEXER_IDENTITY_MISMATCH") {}
export class RelationUnavailable extends Refusal("INDEXER_RELATION_UNAVAILABLE") {}
export class SchemaIntegrity extends Refusal("CATALOG_INTEGRITY") {}

/** Of a question whose form is wrong, whatever is asked about and whatever the source serves. */
export type FormRefusal =
  | SelectionTooComplex
  | UnsupportedRelation
  | UnsupportedFilter
  | FilterTooComplex
  | VersionFixed
  | InvalidOrder
  | ScopeMismatch
  | CompositeKeyRequired
  | EntityNotFound

export type QueryRefusal =
  | FormRefusal
  | InvalidIndexerInput
  | UnsafeInteger
  | NetworkMismatch
  | UnsupportedScope
  | InvalidFields
  | InvalidIndexerCursor
  | UnsupportedEntity

type SourceRefusal =
  | NotConfigured
  | Unavailable
  | Timeout
  | UpstreamHttpError
  | GraphqlError
  | InvalidResponse
  | SourceAnswerTooLarge
  | VersionMismatch
  | IdentityMismatch
  | RelationUnavailable

export type IndexerRefusal = QueryRefusal | SourceRefusal

/** Of no list: they are about the key of a record. */
type KeyRefusal = CompositeKeyRequired | ScopeMismatch

/** Of no record: they are about the walk through a list. */
type WalkRefusal = UnsupportedFilter | FilterTooComplex | InvalidOrder | InvalidIndexerCursor

export type ListRefusal = Exclude<IndexerRefusal, KeyRefusal>
export type RecordRefusal = Exclude<IndexerRefusal, WalkRefusal>
export type StatusRefusal = Exclude<SourceRefusal, VersionMismatch | RelationUnavailable>
