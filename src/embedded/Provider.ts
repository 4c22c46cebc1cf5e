/** The prepaid provider of the local chain, in a process of its own that nothing waits for and that comes back where it ends. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { Effect, type Scope } from "effect"
import { packageRoot } from "../settings/PackageRoot.ts"
import type { StartFailure } from "../settings/StartFailure.ts"
import { freePort } from "./FreePort.ts"
import { returning } from "./Returning.ts"

export interface EmbeddedProviderOptions {
  readonly dataDirectory: string
  readonly rpcUrl: string
  /** Its bundle; the built one when left out. */
  readonly program?: string
}

const NAME = "The provider of the local chain"
const PROGRAM = join(packageRoot, "dist", "sandbox-provider.js")

const isBuilt = (program = PROGRAM): boolean => existsSync(program)

/** Gives the URL at which it is, or will be. */
const start = Effect.fn("EmbeddedProvider.start")(function* (options: EmbeddedProviderOptions) {
  const port = yield* freePort(NAME)
  yield* returning({
    name: NAME,
    command: [process.execPath, options.program ?? PROGRAM],
    directory: options.dataDirectory,
    account: undefined,
    stop: "SIGTERM",
    force: "SIGKILL",
    environment: {
      SANDBOX_PROVIDER_RPC_URL: options.rpcUrl,
      SANDBOX_PROVIDER_FILE: join(options.dataDirectory, "chain", "bundles"),
      SANDBOX_PROVIDER_PORT: String(port)
    }
  })
  return `http://127.0.0.1:${port}`
})

export const EmbeddedProvider: {
  readonly isBuilt: (program?: string) => boolean
  readonly start: (options: EmbeddedProviderOptions) => Effect.Effect<string, StartFailure, Scope.Scope>
} = { isBuilt, start }
