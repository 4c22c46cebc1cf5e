/** One throwaway PostgreSQL for the whole test run, killed with the process that started it. */
import { rm } from "node:fs/promises"
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
const settings = {
  max_connections: "200",
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  autovacuum_naptime: "1h"
}

const directory = Effect.acquireRelease(
  Effect.promise(() => passableDirectory("service-test-postgres-")),
  path => Effect.promise(() => rm(path, { recursive: true, force: true }))
)

export default async ({ provide }: TestProject): Promise<() => Promise<void>> => {
  const scope = await Effect.runPromise(Scope.make())
  const { url } = await directory.pipe(
    Effect.flatMap(path => EmbeddedPostgres.start(path, { settings })),
    Scope.extend(scope),
    Effect.runPromise
  )
  provide("postgresUrl", Redacted.value(url))
  return () => Effect.runPromise(Scope.close(scope, Exit.void))
}
