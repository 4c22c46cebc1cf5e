/** What must hold of a wallet and of the contracts that it stands on, each under its own name. */
import { Effect } from "effect"
import { ChainClient } from "../chain/ChainClient.ts"
import { NO_CODE } from "../protocol/PackedCalls.ts"
import type { Address, Bytes32 } from "../values/Scalars.ts"
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

/** By the hash of the code at each. */
export const pinChecks = (
  pins: ReadonlyArray<NamedPin>,
  codeHashes: ReadonlyArray<Bytes32>
): ReadonlyArray<WalletVerdict> =>
  pins.map(({ name, runtimeCodeHash }, index) => [`pin:${name}`, codeHashes[index] === runtimeCodeHash])

/** An owner with code signs by it, and only what the manifest knows may. */
const isKnownOwner = ({ contractOwners }: SmartManifest, owner: Address, codeHash?: Bytes32): boolean =>
  codeHash === NO_CODE ||
  contractOwners.some(({ address, runtimeCodeHash }) => address === owner && runtimeCodeHash === codeHash)

export const ownerChecks = (
  manifest: SmartManifest,
  owners: ReadonlyArray<Address>,
  codeHashes: ReadonlyArray<Bytes32 | undefined>
): ReadonlyArray<WalletVerdict> =>
  owners.map((owner, index) => ["contract-owner", isKnownOwner(manifest, owner, codeHashes[index])])

/** Of the manifest's chain. */
export const manifestHead = Effect.fnUntraced(function* ({ chainId }: SmartManifest) {
  const chains = yield* ChainClient
  return yield* Effect.catchTag(chains.snapshot(chainId), "UNSUPPORTED_CHAIN", () => unsupported("chain"))
})
