/** A whole indexed source for tests: its GraphQL server over a database of its own, with the rows that a test puts there. */
import type { SourceAnswer, SourceRequest } from "../../sandbox/index/Answers.ts"
import type { Row } from "../../sandbox/index/Cursors.ts"
import { insertRows } from "../../sandbox/index/Insert.ts"
import type { Model } from "../../sandbox/index/Model.ts"
import { listen } from "../../sandbox/index/Server.ts"
import { openSource } from "../../sandbox/index/Source.ts"
import { CHECKPOINT, createTables, tableOf } from "../../sandbox/index/Tables.ts"
import { freshDatabase } from "./Postgres.ts"

const SCHEMA = "indexed"

interface ChainProgress {
  readonly name: string
  readonly chainId: number
  readonly blockNumber: number
  readonly blockTimestamp: number
}

/** Stands between the reader and the source: `pass` asks the source itself. */
type Intercept = (
  request: SourceRequest,
  pass: (request?: SourceRequest) => Promise<SourceAnswer>
) => Promise<SourceAnswer>

export interface IndexedSource {
  /** Where GraphQL requests go. */
  readonly url: string
  readonly model: Model
  readonly databaseUrl: string
  /** Everything that was asked, oldest first. */
  readonly requests: ReadonlyArray<SourceRequest>
  readonly insert: (entity: string, rows: ReadonlyArray<Row>) => Promise<void>
  /** Rows of the entity's table by a condition that the test writes itself. */
  readonly count: (entity: string, condition?: string) => Promise<number>
  readonly query: (text: string, values?: ReadonlyArray<unknown>) => Promise<ReadonlyArray<Row>>
  /** The name by which a statement reaches the entity's table. */
  readonly table: (entity: string) => string
  readonly progress: (chains: ReadonlyArray<ChainProgress>) => Promise<void>
  readonly empty: (entity: string) => Promise<void>
  /** Entities, or `entity.field`, that the source does not have; an empty list gives them back. */
  readonly lack: (names: ReadonlyArray<string>) => void
  /** Until it is called with nothing. */
  readonly intercept: (by?: Intercept) => void
  readonly stop: () => Promise<void>
}

interface IndexedSourceOptions {
  /** Whether errors say as little as in production; so they do by default. */
  readonly masked?: boolean
}

export const graphqlAnswer = (body: unknown, status = 200): SourceAnswer => ({
  status,
  contentType: "application/json; charset=utf-8",
  body: typeof body === "string" ? body : JSON.stringify(body)
})

export const startIndexedSource = async (options: IndexedSourceOptions = {}): Promise<IndexedSource> => {
  const database = await freshDatabase()
  const source = await openSource({ databaseUrl: database.url, schema: SCHEMA, connections: 4, ...options })
  await source.pool.query(createTables(source))
  const requests: Array<SourceRequest> = []
  let interceptor: Intercept | undefined
  const listening = await listen(request => {
    requests.push(request)
    const pass = (changed = request) => source.answer(changed)
    return interceptor === undefined ? pass() : interceptor(request, pass)
  })
  const table = (entity: string) => tableOf(SCHEMA, entity)
  const query = async (text: string, values: ReadonlyArray<unknown> = []) =>
    (await source.pool.query<Row>(text, [...values])).rows
  return {
    url: listening.url,
    model: source.model,
    databaseUrl: database.url,
    requests,
    insert: (entity, rows) => insertRows(source.pool, source, entity, rows),
    count: async (entity, condition = "true") => {
      const [row] = await query(`SELECT count(*)::integer AS count FROM ${table(entity)} WHERE ${condition}`)
      return Number(row?.count)
    },
    query,
    table,
    progress: async chains => {
      await query(`TRUNCATE ${table(CHECKPOINT)}`)
      for (const { chainId, name, blockNumber, blockTimestamp } of chains)
        await query(`INSERT INTO ${table(CHECKPOINT)} VALUES ($1, $2, $3, $4, '0x')`, [
          chainId,
          name,
          blockNumber,
          blockTimestamp
        ])
    },
    empty: async entity => {
      await query(`TRUNCATE ${table(entity)}`)
    },
    lack: source.lack,
    intercept: by => {
      interceptor = by
    },
    stop: async () => {
      await listening.stop()
      await source.stop()
      await database.drop()
    }
  }
}
