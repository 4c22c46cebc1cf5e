/** One throwaway PostgreSQL for the whole test run, killed with the process that started it. */
import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Exit, Redacted, Scope } from "effect"
import type { TestProject } from "vitest/node"
import { EmbeddedPostgres } from "../../src/embedded/Postgres.ts"
import { passableDirectory } from "./PassableDirectory.ts"

declare module "vitest" {
  export interface ProvidedContext {
    postgresUrl: string
  }
}

/** Nothing of it outlives the run, so nothing is worth waiting for the disk. */
const settings = (rules: string) => ({
  hba_file: rules,
  max_connections: "200",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  autovacuum_naptime: "1h"
})

/** Whoever reaches it is let in: proving the password takes most of a connection's work, and a run makes thousands. */
const OPEN_TO_ALL = "host all all 127.0.0.1/32 trust\n"

const started = (path: string) => {
  const rules = join(path, "rules")
  return Effect.zipRight(
    Effect.promise(() => writeFile(rules, OPEN_TO_ALL, { mode: 0o644 })),
    EmbeddedPostgres.start(path, { settings: settings(rules) })
  )
}

const directory = (prefix: string) =>
  Effect.acquireRelease(
    Effect.promise(() => passableDirectory(prefix)),
    path => Effect.promise(() => rm(path, { recursive: true, force: true }))
  )

export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const scope = await Effect.runPromise(Scope.make())
  const within = <A>(effect: Effect.Effect<A, unknown, Scope.Scope>) =>
    Effect.runPromise(Scope.extend(effect, scope))
  const { url } = await within(Effect.flatMap(directory("service-test-postgres-"), started))
  provide("postgresUrl", Redacted.value(url))
  // For what programs of the run have compiled, and what one of its workers makes for all; by the environment, since campaigns run without the test runner.
  process.env.RUN_DATABASE_URL = Redacted.value(url)
  process.env.KEPT_PROGRAMS = await within(directory("service-test-programs-"))
  return () => Effect.runPromise(Scope.close(scope, Exit.void))
}
