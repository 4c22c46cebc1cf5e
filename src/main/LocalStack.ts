/** The contracts of smart accounts on the local chain, with their manifest; no start waits for the contracts. */
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, type Scope } from "effect"
import type { CreationCodes } from "../../sandbox/execution/Packages.ts"
import type { SettingsShape } from "../settings/Settings.ts"
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

const writeManifest = async (dataDirectory: string): Promise<string> => {
  const { localManifest } = await import("../../sandbox/execution/Manifest.ts")
  const file = join(dataDirectory, "chain", "smart-manifests.json")
  await writeFile(file, JSON.stringify({ manifests: [localManifest()] }))
  return file
}

type Given = Pick<SettingsShape, "dataDirectory" | "smartManifests">

/** What there is to say of them; manifests that an operator gave stay. */
export const localStack = Effect.fn("LocalStack.start")(function* (
  rpcUrl: string,
  { dataDirectory, smartManifests }: Given,
  installed?: InstalledCodes
) {
  const { installedCodes } = yield* Effect.promise(() => import("../../sandbox/execution/Packages.ts"))
  const codes = (installed ?? installedCodes)()
  const absent: ReadonlyArray<Fact> = [ABSENT]
  if (codes === undefined) return { facts: absent, smartManifests, isPlaced: false }
  yield* placing(rpcUrl, codes)
  const file = smartManifests ?? (yield* Effect.promise(() => writeManifest(dataDirectory)))
  const none: ReadonlyArray<Fact> = []
  return { facts: none, smartManifests: file, isPlaced: true }
})
