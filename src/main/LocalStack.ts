/** The contracts of smart accounts on the local chain; no start waits for them. */
import { Effect, type Scope } from "effect"
import type { CreationCodes } from "../../sandbox/execution/Packages.ts"
import type { Fact } from "./Embedded.ts"

/** Undefined where the packages that have the contracts are not installed. */
type InstalledCodes = () => (() => CreationCodes) | undefined

const ABSENT: Fact = [
  "smart accounts",
  'none on the local chain: their contracts are in the development packages (run "npm install")'
]

const placing = (rpcUrl: string, codes: () => CreationCodes): Effect.Effect<void, never, Scope.Scope> =>
  Effect.tryPromise(async () =>
    (await import("../../sandbox/execution/place.ts")).placeStack(rpcUrl, codes)
  ).pipe(
    Effect.catchTag("UnknownException", ({ error }) =>
      Effect.logWarning(
        `The contracts of smart accounts could not be placed: ${error instanceof Error ? error.message : error}`
      )
    ),
    Effect.forkScoped,
    Effect.asVoid
  )

/** What there is to say of them. */
export const localStack = Effect.fn("LocalStack.start")(function* (
  rpcUrl: string,
  installed?: InstalledCodes
) {
  const { installedCodes } = yield* Effect.promise(() => import("../../sandbox/execution/Packages.ts"))
  const codes = (installed ?? installedCodes)()
  const said: ReadonlyArray<Fact> = codes === undefined ? [ABSENT] : []
  if (codes !== undefined) yield* placing(rpcUrl, codes)
  return said
})
