/** What a binding is bound to: who controls a wallet, and by which code. */
import { canonicalJson } from "../values/CanonicalJson.ts"
import { keccak256Utf8 } from "../values/Keccak.ts"
import type { Address, Bytes32 } from "../values/Scalars.ts"

export interface WalletState {
  readonly chainId: number
  readonly address: Address
  readonly manifestId: string
  readonly manifestRevision: Bytes32
  readonly singleton: Address
  readonly adapter: Address
  readonly entryPoint: Address
  readonly fallbackHandler: Address
  readonly transactionGuard: Address
  readonly hook: Address
  readonly owners: ReadonlyArray<Address>
  readonly threshold: number
  readonly safeModules: ReadonlyArray<Address>
  readonly validators: ReadonlyArray<Address>
  readonly executors: ReadonlyArray<Address>
}

const lower = (address: Address): string => address.toLowerCase()
const all = (addresses: ReadonlyArray<Address>): ReadonlyArray<string> => addresses.map(lower)

/** What is hashed of a state, in one form whoever told of it. */
const hashed = (state: WalletState) => ({
  chainId: state.chainId,
  address: lower(state.address),
  manifestId: state.manifestId,
  manifestRevision: state.manifestRevision,
  singleton: lower(state.singleton),
  adapter: lower(state.adapter),
  entryPoint: lower(state.entryPoint),
  fallbackHandler: lower(state.fallbackHandler),
  transactionGuard: lower(state.transactionGuard),
  hook: lower(state.hook),
  owners: [...all(state.owners)].sort(),
  threshold: state.threshold,
  safeModules: all(state.safeModules),
  validators: all(state.validators),
  executors: all(state.executors)
})

/** Of these members alone, whatever else is known of the wallet. */
export const stateHash = (state: WalletState): Bytes32 => keccak256Utf8(canonicalJson(hashed(state)))

/** The members by which two states have different hashes. */
export const changedMembers = (before: WalletState, now: WalletState): ReadonlyArray<string> => {
  const known = new Map<string, unknown>(Object.entries(hashed(before)))
  return Object.entries(hashed(now)).flatMap(([name, value]) =>
    canonicalJson(value) === canonicalJson(known.get(name)) ? [] : [name]
  )
}
