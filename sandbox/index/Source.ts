/** The indexed source: its schema, its tables in a PostgreSQL schema of their own, and its answers. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { type DocumentNode, parse } from "graphql"
import { Pool } from "pg"
import { packageRoot } from "../../src/settings/PackageRoot.ts"
import { type Answering, answer, type SourceAnswer, type SourceRequest } from "./Answers.ts"
import type { Model } from "./Model.ts"
import { without } from "./OlderSchema.ts"
import { executable } from "./Resolvers.ts"
import type { Place } from "./Tables.ts"

const STATEMENT_TIMEOUT_MILLIS = 30_000

export interface SourceOptions {
  readonly databaseUrl: string
  readonly schema: string
  readonly connections?: number
  readonly masked?: boolean
  readonly isReady?: () => boolean
}

export interface Source extends Place {
  readonly pool: Pool
  readonly answer: (request: SourceRequest) => Promise<SourceAnswer>
  /** From now on the entities and fields are not there, as on a source that lags behind. */
  readonly lack: (names: ReadonlyArray<string>) => void
  readonly stop: () => Promise<void>
}

const pinnedSchema = async (): Promise<DocumentNode> =>
  parse(await readFile(join(packageRoot, "schema", "indexer", "schema.graphql"), "utf8"))

export const openSource = async (options: SourceOptions): Promise<Source> => {
  const document = await pinnedSchema()
  const { schema: graphql, model } = executable(document)
  const pool = new Pool({
    connectionString: options.databaseUrl,
    max: options.connections ?? 8,
    statement_timeout: STATEMENT_TIMEOUT_MILLIS
  })
  pool.on("error", () => {})
  let answering: Answering = {
    pool,
    schema: options.schema,
    graphql,
    masked: options.masked ?? true,
    isReady: options.isReady ?? (() => true)
  }
  return {
    pool,
    model: model satisfies Model,
    schema: options.schema,
    answer: request => answer(answering, request),
    lack: names => {
      answering = { ...answering, graphql: executable(without(document, names)).schema }
    },
    stop: () => pool.end()
  }
}
