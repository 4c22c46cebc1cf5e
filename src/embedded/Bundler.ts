/** The bundler of the local chain and the paymaster beside it, in a process of their own that nothing waits for and that comes back where it ends. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { Effect, type Scope } from "effect"
import { packageRoot } from "../settings/PackageRoot.ts"
import type { StartFailure } from "../settings/StartFailure.ts"
import { freePort } from "./FreePort.ts"
import { returning } from "./Returning.ts"

interface EmbeddedBundlerOptions {
  readonly dataDirectory: string
  readonly rpcUrl: string
  /** Its bundle; the built one when left out. */
  readonly program?: string
}

interface EmbeddedBundlerHandle {
  readonly url: string
  readonly paymasterUrl: string
  /** Until then there is nobody at the two. */
  readonly start: Effect.Effect<void, never, Scope.Scope>
}

const NAME = "The bundler of the local chain"
const PROGRAM = join(packageRoot, "dist", "sandbox-bundler.js")

const isBuilt = (program = PROGRAM): boolean => existsSync(program)

/** Its program takes seconds of both processors, so whoever asked for the places says when. */
const place = Effect.fn("EmbeddedBundler.place")(function* (options: EmbeddedBundlerOptions) {
  const [port, paymasterPort] = [yield* freePort(NAME), yield* freePort("the paymaster of the local chain")]
  const start = returning({
    name: NAME,
    command: [process.execPath, options.program ?? PROGRAM],
    directory: options.dataDirectory,
    account: undefined,
    stop: "SIGTERM",
    force: "SIGKILL",
    environment: {
      SANDBOX_BUNDLER_RPC_URL: options.rpcUrl,
      SANDBOX_BUNDLER_PORT: String(port),
      SANDBOX_BUNDLER_PAYMASTER_PORT: String(paymasterPort)
    }
  })
  const [url, paymasterUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${paymasterPort}`]
  return { url, paymasterUrl, start } satisfies EmbeddedBundlerHandle
})

export const EmbeddedBundler: {
  readonly isBuilt: (program?: string) => boolean
  readonly place: (options: EmbeddedBundlerOptions) => Effect.Effect<EmbeddedBundlerHandle, StartFailure>
} = { isBuilt, place }
