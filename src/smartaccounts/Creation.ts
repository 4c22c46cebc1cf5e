/** How a wallet comes to be: what its proxy is set up with, and the call that creates it. */
import { digitsOf, encodedMembers, tailOfBytes, tailOfList, tailOfMembers, word } from "../values/AbiWords.ts"
import type { Address, Hex } from "../values/Scalars.ts"

/** How the adapter of a deployment takes its modules. */
export type AdapterDialect = "safe7579-4" | "safe7579-1"

/** A wallet's contracts, as its manifest pins them. */
export interface WalletContracts {
  readonly singleton: Address
  readonly factory: Address
  readonly adapter: Address
  readonly launchpad: Address
  readonly adapterDialect: AdapterDialect
}

export interface WalletOwners {
  readonly owners: ReadonlyArray<Address>
  readonly threshold: number
}

/** `addSafe7579` of each dialect, `setup`, and `createProxyWithNonce`. */
const ADD_ADAPTER = { "safe7579-4": "d78343d9", "safe7579-1": "47cbbdca" } as const
const SET_UP = "b63e800d"
const CREATE_PROXY = "0x1688f0b9"

const VALIDATOR = word(1)
const NOBODY = word(0)
const NO_DATA = tailOfBytes("")
const NONE = tailOfList([])

/** Validators are all that a new wallet has of modules, and nobody attests them. */
const installation = (
  { adapter, adapterDialect }: WalletContracts,
  validators: ReadonlyArray<Address>
): string => {
  const isListed = adapterDialect === "safe7579-1"
  const modules = tailOfList(
    validators.map(module => tailOfMembers([word(module), NO_DATA, ...(isListed ? [VALIDATOR] : [])]))
  )
  const others = isListed ? [] : [NONE, NONE, NONE]
  const members = [word(adapter), modules, ...others, NONE, word(0)]
  return ADD_ADAPTER[adapterDialect] + encodedMembers(members)
}

export const ascending = (owners: ReadonlyArray<Address>): ReadonlyArray<Address> =>
  [...owners].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))

/** What the proxy calls once, on its creation. */
export const walletInitializer = (
  contracts: WalletContracts,
  { owners, threshold }: WalletOwners,
  validators: ReadonlyArray<Address>
): Hex =>
  `0x${SET_UP}${encodedMembers([
    tailOfList(ascending(owners).map(word)),
    word(threshold),
    word(contracts.launchpad),
    tailOfBytes(installation(contracts, validators)),
    word(contracts.adapter),
    NOBODY,
    word(0),
    NOBODY
  ])}`

/** The factory's call that creates the wallet. */
export const creationCalldata = (singleton: Address, initializer: Hex, saltNonce: bigint): Hex =>
  `${CREATE_PROXY}${encodedMembers([word(singleton), tailOfBytes(digitsOf(initializer)), word(saltNonce)])}`
