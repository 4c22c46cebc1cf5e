/** The SQL of an account's number. */
import type * as SqlClient from "@effect/sql/SqlClient"

/** Found before all else, so that an index that begins with it gives the account's records in its order: joined, it would have them all read and sorted. */
export const numberOf = (sql: SqlClient.SqlClient, accountId: string) =>
  sql`(SELECT number FROM accounts WHERE id = ${accountId})`
