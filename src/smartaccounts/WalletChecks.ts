/** What must hold of a wallet and of the contracts that it stands on, each under its own name. */
import { Effect } from "effect"
import { ChainClient } from "../chain/ChainClient.ts"
import { codeHash } from "../protocol/RuntimeCode.ts"
import type { Address, Hex } from "../values/Scalars.ts"
import type { NamedPin, SmartManifest } from "./Manifest.ts"
import { SmartAccountUnsupported } from "./refusals.ts"

/** In the order in which they are looked at. */
export type WalletCheck =
  | "chain"
  | "account-code"
  | `pin:${string}`
  | "singleton"
  | "version"
  | "fallback-handler"
  | "transaction-guard"
  | "owners"
  | "threshold"
  | "contract-owner"
  | "safe-modules"
  | "validators"
  | "executors"
  | "hook"
  | "fallback-modules"
  | "entry-point"
  | "nonce-layout"
  | "session"

export type WalletVerdict = readonly [check: WalletCheck, holds: boolean]

const unsupported = (check: WalletCheck) => new SmartAccountUnsupported({ context: { check } })

export const firstFault = (
  judged: ReadonlyArray<WalletVerdict>
): Effect.Effect<void, SmartAccountUnsupported> => {
  const fault = judged.find(([, holds]) => !holds)
  return fault === undefined ? Effect.void : unsupported(fault[0])
}

export interface PinnedCode extends NamedPin {
  readonly code: Hex
}

export const pinChecks = (pinned: ReadonlyArray<PinnedCode>): ReadonlyArray<WalletVerdict> =>
  pinned.map(({ name, code, runtimeCodeHash }) => [`pin:${name}`, codeHash(code) === runtimeCodeHash])

/** An owner with code signs by it, and only what the manifest knows may. */
const isKnownOwner = ({ contractOwners }: SmartManifest, owner: Address, code: Hex): boolean =>
  code === "0x" ||
  contractOwners.some(
    ({ address, runtimeCodeHash }) => address === owner && runtimeCodeHash === codeHash(code)
  )

export const ownerChecks = (
  manifest: SmartManifest,
  owners: ReadonlyArray<Address>,
  codes: ReadonlyArray<Hex>
): ReadonlyArray<WalletVerdict> =>
  owners.map((owner, index) => ["contract-owner", isKnownOwner(manifest, owner, codes[index] ?? "0x")])

/** Of the manifest's chain. */
export const manifestHead = Effect.fnUntraced(function* ({ chainId }: SmartManifest) {
  const chains = yield* ChainClient
  return yield* Effect.catchTag(chains.snapshot(chainId), "UNSUPPORTED_CHAIN", () => unsupported("chain"))
})
