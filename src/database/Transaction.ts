/** The only opener of transactions: READ COMMITTED and never nested. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Option } from "effect"
import { isSqlError, refusingWork } from "./Pool.ts"

/** A failing commit arrives as a defect; whether it took effect is not known here. */
const typedCommit = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.catchSomeDefect(effect, defect =>
    isSqlError(defect) ? Option.some(Effect.fail(defect)) : Option.none()
  )

const refuseNesting = Effect.flatMap(Effect.serviceOption(SqlClient.TransactionConnection), connection =>
  Option.isSome(connection) ? Effect.dieMessage("a transaction was opened inside a transaction") : Effect.void
)

export const transaction = <A, E, R>(sql: SqlClient.SqlClient, body: Effect.Effect<A, E, R>) =>
  Effect.zipRight(refuseNesting, refusingWork(typedCommit(sql.withTransaction(body))))
