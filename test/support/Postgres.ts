/** A new database for each caller, on the PostgreSQL of the test run. */
import { randomBytes } from "node:crypto"
import { Effect, Redacted, type Scope } from "effect"
import { inject } from "vitest"
import { sqlOn } from "./Sql.ts"

export interface FreshDatabase {
  readonly name: string
  readonly url: string
  readonly drop: () => Promise<void>
}

const administer = async (sql: string): Promise<void> => {
  await sqlOn(inject("postgresUrl"), sql)
}

/** Empty, or what this one holds that nobody is connected to. */
export const freshDatabase = async (template?: Pick<FreshDatabase, "name">): Promise<FreshDatabase> => {
  const name = `test_${randomBytes(8).toString("hex")}`
  await administer(`CREATE DATABASE ${name} TEMPLATE ${template?.name ?? "template1"} STRATEGY file_copy`)
  const url = new URL(inject("postgresUrl"))
  url.pathname = `/${name}`
  return { name, url: url.href, drop: () => administer(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

/** The URL of a database that lives as long as the scope. */
export const scopedDatabase: Effect.Effect<
  Redacted.Redacted<string>,
  never,
  Scope.Scope
> = Effect.acquireRelease(
  Effect.promise(() => freshDatabase()),
  database => Effect.promise(database.drop)
).pipe(Effect.map(database => Redacted.make(database.url)))
