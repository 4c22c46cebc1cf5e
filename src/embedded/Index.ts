/** The index of the local chain, in a process of its own that this service asks as it would any other source. */
import { join, resolve } from "node:path"
import { Effect, Redacted, type Scope } from "effect"
import { packageRoot } from "../settings/PackageRoot.ts"
import type { StartFailure } from "../settings/StartFailure.ts"
import { type Ending, launched } from "./BoundProcess.ts"

export interface EmbeddedIndexOptions {
  readonly dataDirectory: string
  readonly databaseUrl: Redacted.Redacted<string>
  readonly rpcUrl: string
  /** File that says what is deployed where. */
  readonly sandboxManifest: string
  /** Its bundle; the built one when left out. */
  readonly program?: string
}

export interface EmbeddedIndexHandle {
  /** Where GraphQL requests go. */
  readonly url: string
  /** Succeeds with the reason when the index ends by itself. */
  readonly ended: Effect.Effect<Ending>
}

const PROGRAM = join(packageRoot, "dist", "sandbox-index.js")

const start = Effect.fn("EmbeddedIndex.start")(function* (options: EmbeddedIndexOptions) {
  const index = yield* launched({
    name: "The index of the local chain",
    command: [process.execPath, options.program ?? PROGRAM, resolve(options.sandboxManifest)],
    directory: options.dataDirectory,
    account: undefined,
    stop: "SIGTERM",
    force: "SIGKILL",
    environment: {
      SANDBOX_INDEX_DATABASE_URL: Redacted.value(options.databaseUrl),
      SANDBOX_INDEX_RPC_URL: options.rpcUrl
    }
  })
  const [, url = ""] = yield* index.line(/^Listening on (\S+)/)
  return { url, ended: index.ended } satisfies EmbeddedIndexHandle
})

export const EmbeddedIndex: {
  readonly start: (
    options: EmbeddedIndexOptions
  ) => Effect.Effect<EmbeddedIndexHandle, StartFailure, Scope.Scope>
} = { start }
