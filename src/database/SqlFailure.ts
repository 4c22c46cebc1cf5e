/** Tells the database's bad days, which callers must live with, from our own mistakes, which die. */
import type { SqlError } from "@effect/sql/SqlError"
import { Effect, Predicate } from "effect"
import { DatabaseUnavailable } from "./refusals.ts"

/** Connections, credentials, the database's name, resources and operators. */
const INFRASTRUCTURE_CLASSES = new Set(["08", "28", "3D", "53", "57"])
const INFRASTRUCTURE_STATES = new Set(["25006", "25P02", "25P03", "40001", "40P01", "55000", "55P03"])

const stateOf = (error: SqlError): string | undefined => {
  const { cause } = error
  if (!Predicate.hasProperty(cause, "severity") || !Predicate.hasProperty(cause, "code")) return undefined
  return Predicate.isString(cause.code) ? cause.code : undefined
}

/** A failure without an SQLSTATE never reached a statement: the connection is at fault. */
const isInfrastructure = (error: SqlError): boolean => {
  const state = stateOf(error)
  return (
    state === undefined || INFRASTRUCTURE_STATES.has(state) || INFRASTRUCTURE_CLASSES.has(state.slice(0, 2))
  )
}

export const isSqlError = (error: unknown): error is SqlError => Predicate.isTagged(error, "SqlError")

const refuse = (error: SqlError) =>
  isInfrastructure(error) ? Effect.fail(new DatabaseUnavailable()) : Effect.die(error)

/** SQL failures become DATABASE_UNAVAILABLE, or defects where the statement itself is wrong. */
export const refusingSql = <A, E, R>(effect: Effect.Effect<A, E, R>) => {
  const isSql = (error: E): error is Extract<E, SqlError> => isSqlError(error)
  return Effect.catchIf(effect, isSql, refuse)
}
