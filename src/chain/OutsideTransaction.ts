/** A chain call inside a database transaction would hold locks for as long as a node likes: a bug, and it dies. */
import { TransactionConnection } from "@effect/sql/SqlClient"
import { Effect, Option } from "effect"

export const outsideTransaction: Effect.Effect<void> = Effect.flatMap(
  Effect.serviceOption(TransactionConnection),
  connection =>
    Option.isSome(connection) ? Effect.dieMessage("a chain call inside a database transaction") : Effect.void
)
