/** The indexed source: its schema, its tables in a PostgreSQL schema of their own, and its answers. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { type DocumentNode, parse } from "graphql"
import { Pool } from "pg"
import { packageRoot } from "../../src/settings/PackageRoot.ts"
import { type Answering, answer, type SourceAnswer, type SourceRequest } from "./Answers.ts"
import { without } from "./OlderSchema.ts"
import { type Executable, executable } from "./Resolvers.ts"
import type { Place } from "./Tables.ts"

const STATEMENT_TIMEOUT_MILLIS = 30_000

interface SourceOptions {
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

/** Made once for each set of what is lacking: they hold nothing of the source that they answer for. */
const made = new Map<string, Executable>()

const schemaWithout = (document: DocumentNode, lacking: ReadonlyArray<string>): Executable => {
  const known = made.get(lacking.join(" "))
  if (known !== undefined) return known
  const making = executable(without(document, lacking))
  made.set(lacking.join(" "), making)
  return making
}

let pinned: Promise<DocumentNode> | undefined

const pinnedSchema = (): Promise<DocumentNode> => {
  pinned ??= readFile(join(packageRoot, "schema", "indexer", "schema.graphql"), "utf8").then(text =>
    parse(text)
  )
  return pinned
}

export const openSource = async (options: SourceOptions): Promise<Source> => {
  const document = await pinnedSchema()
  const { schema: graphql, model } = schemaWithout(document, [])
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
    model,
    schema: options.schema,
    answer: request => answer(answering, request),
    lack: names => {
      answering = { ...answering, graphql: schemaWithout(document, names).schema }
    },
    stop: () => pool.end()
  }
}
