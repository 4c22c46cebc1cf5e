/** The bundler of the local chain and its paymaster, which start once the service is ready. */
import { Effect, Redacted, type Scope } from "effect"
import { EmbeddedBundler } from "../embedded/Bundler.ts"
import type { SettingsShape } from "../settings/Settings.ts"
import type { Fact } from "./Embedded.ts"

interface LocalBundler {
  readonly userOperations: SettingsShape["userOperations"]
  readonly facts: ReadonlyArray<Fact>
  readonly url: string | undefined
  readonly paymasterUrl: string | undefined
  readonly start: Effect.Effect<void, never, Scope.Scope>
}

type Given = Pick<SettingsShape, "dataDirectory" | "userOperations">

const none = (userOperations: SettingsShape["userOperations"], facts: ReadonlyArray<Fact>): LocalBundler => ({
  userOperations,
  facts,
  url: undefined,
  paymasterUrl: undefined,
  start: Effect.void
})

const ABSENT: Fact = [
  "bundler",
  'none on the local chain: it is in the development packages (run "npm install")'
]
const UNBUILT: Fact = [
  "bundler",
  "its program is not there, so no user operation is carried: npm run build makes it"
]

/** What is configured stays. */
const joined = (
  { bundlers, paymasters, ...others }: SettingsShape["userOperations"],
  chainId: number,
  [url, paymasterUrl]: readonly [string, string]
): SettingsShape["userOperations"] => ({
  ...others,
  bundlers: [...bundlers, { chainId, urls: [Redacted.make(url)] }],
  paymasters: paymasters.some(each => each.chainId === chainId)
    ? paymasters
    : [...paymasters, { chainId, url: Redacted.make(paymasterUrl), context: Redacted.make({}) }]
})

export const localBundler = Effect.fn("LocalBundler.place")(function* (
  { dataDirectory, userOperations }: Given,
  chain: { readonly chainId: number; readonly rpcUrl: string } | undefined
) {
  if (chain === undefined || userOperations.bundlers.length > 0) return none(userOperations, [])
  const { installedAlto } = yield* Effect.promise(() => import("../../sandbox/bundler/Alto.ts"))
  if (installedAlto() === undefined) return none(userOperations, [ABSENT])
  if (!EmbeddedBundler.isBuilt()) return none(userOperations, [UNBUILT])
  const { chainId, rpcUrl } = chain
  const { url, paymasterUrl, start } = yield* EmbeddedBundler.place({ dataDirectory, rpcUrl })
  const placed: Fact = [
    "bundler",
    `carries user operations on the local chain at ${url}; a paymaster pays for them at ${paymasterUrl}`
  ]
  return {
    userOperations: joined(userOperations, chainId, [url, paymasterUrl]),
    facts: [placed],
    url,
    paymasterUrl,
    start
  } satisfies LocalBundler
})
