/** What every answer says besides its rows. */
import { type IndexerProvenance, type Network, SEMANTICS } from "./IndexerSchemas.ts"

export interface AnsweringSource {
  /** The SHA-256 of the pinned schema. */
  readonly schemaSha256: string
}

const SCHEMA_NAME = "schema/indexer/schema.graphql"

export const provenanceOf = ({ schemaSha256 }: AnsweringSource, observedAt: number): IndexerProvenance => ({
  schemaSha256,
  schema: SCHEMA_NAME,
  observedAt
})

export const answerFrame = (answering: AnsweringSource, network: Network, observedAt: number) => ({
  network,
  protocolVersion: 6 as const,
  provenance: provenanceOf(answering, observedAt),
  semantics: SEMANTICS
})
