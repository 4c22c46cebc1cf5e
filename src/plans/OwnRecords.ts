/** Finds what callers send of their plans, and what their keys lead to, in one round trip for all that wait together. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Option } from "effect"
import {
  KEY_COLUMNS,
  type KeyColumns,
  type KeyOutcome,
  keyRowFrom,
  outcomeOf,
  type RequestKey
} from "../auth/Idempotency.ts"
import { batching } from "../database/Gathering.ts"
import { refusingSql } from "../database/Pool.ts"

const BATCH_BOUND = 32

/** Each by itself, and the lists hidden from the planner, so that how many wait together changes no plan of the database's, which it then keeps. */
const finding = (records: string) => `SELECT ${KEY_COLUMNS}, r.*
FROM unnest((SELECT $1::text[]), (SELECT $2::text[]), (SELECT $3::text[]), (SELECT $4::uuid[])) WITH ORDINALITY AS q (account, principal, key, record, position)
LEFT JOIN accounts a ON a.id = q.account
LEFT JOIN idempotency_keys k ON k.account = a.number AND k.principal = q.principal AND k.key = q.key
LEFT JOIN LATERAL (${records} LIMIT 1) r ON true
ORDER BY q.position`

interface Asked {
  readonly id: string
  readonly key: RequestKey
}

interface OwnRow extends KeyColumns {
  readonly id: string | null
}

export interface OwnRecord {
  /** None where the caller has no such record. */
  readonly row: Option.Option<object>
  readonly outcome: Option.Option<KeyOutcome>
}

/** By the statement that selects those of `q`; a key of another request conflicts, whatever there is of the record. */
export const ownRecords = (records: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const statement = finding(records)
    const askAll = (asked: ReadonlyArray<Asked>) =>
      refusingSql(
        sql.unsafe<OwnRow>(statement, [
          asked.map(({ key }) => key.accountId),
          asked.map(({ key }) => key.principalId),
          asked.map(({ key }) => key.key),
          asked.map(({ id }) => id)
        ])
      )
    const gather = yield* batching(askAll, BATCH_BOUND)
    return (id: string, key: RequestKey) =>
      Effect.flatMap(gather({ id, key }), row =>
        Effect.map(outcomeOf(key, keyRowFrom(row)), outcome => {
          const found: OwnRecord = { row: row.id === null ? Option.none() : Option.some(row), outcome }
          return found
        })
      )
  })
