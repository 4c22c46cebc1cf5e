/** How a wallet comes to be: what its proxy is set up with, and the address that follows from that. */
import { concatHex, encodeAbiParameters, encodeFunctionData, parseAbi } from "viem"
import { keccak256 } from "../values/Keccak.ts"
import { type Address, type Bytes32, checksummed, type Hex, ZERO_ADDRESS } from "../values/Scalars.ts"
import { fromHex } from "../values/TypedDataHash.ts"

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

const safeAbi = parseAbi([
  "function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)",
  "function createProxyWithNonce(address singleton, bytes initializer, uint256 saltNonce)"
])

const launchpads = {
  "safe7579-4": parseAbi([
    "struct Module { address module; bytes initData; }",
    "function addSafe7579(address adapter, Module[] validators, Module[] executors, Module[] fallbacks, Module[] hooks, address[] attesters, uint8 threshold)"
  ]),
  "safe7579-1": parseAbi([
    "struct Module { address module; bytes initData; uint256 moduleType; }",
    "function addSafe7579(address adapter, Module[] modules, address[] attesters, uint8 threshold)"
  ])
}

const VALIDATOR = 1n
const NO_DATA = "0x"

/** Validators are all that a new wallet has of modules. */
const installation = (
  { adapter, adapterDialect }: WalletContracts,
  validators: ReadonlyArray<Address>
): Hex => {
  const modules = validators.map(module => ({ module, initData: NO_DATA, moduleType: VALIDATOR }) as const)
  return adapterDialect === "safe7579-4"
    ? encodeFunctionData({ abi: launchpads["safe7579-4"], args: [adapter, modules, [], [], [], [], 0] })
    : encodeFunctionData({ abi: launchpads["safe7579-1"], args: [adapter, modules, [], 0] })
}

export const ascending = (owners: ReadonlyArray<Address>): ReadonlyArray<Address> =>
  [...owners].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))

/** What the proxy calls once, on its creation. */
export const walletInitializer = (
  contracts: WalletContracts,
  { owners, threshold }: WalletOwners,
  validators: ReadonlyArray<Address>
): Hex =>
  encodeFunctionData({
    abi: safeAbi,
    functionName: "setup",
    args: [
      ascending(owners),
      BigInt(threshold),
      contracts.launchpad,
      installation(contracts, validators),
      contracts.adapter,
      ZERO_ADDRESS,
      0n,
      ZERO_ADDRESS
    ]
  })

const hashed = (...parts: ReadonlyArray<Hex>): Bytes32 => keccak256(fromHex(concatHex(parts)))

const word = (value: bigint): Hex => encodeAbiParameters([{ type: "uint256" }], [value])

/** Of the code that creates a proxy of this singleton, which the factory tells. */
export const proxyInitCodeHash = (proxyCreationCode: Hex, singleton: Address): Bytes32 =>
  hashed(proxyCreationCode, encodeAbiParameters([{ type: "address" }], [singleton]))

/** Where the factory puts the wallet. */
export const walletAddress = (
  factory: Address,
  initCodeHash: Bytes32,
  initializer: Hex,
  saltNonce: bigint
): Address => {
  const salt = hashed(hashed(initializer), word(saltNonce))
  const digits = hashed("0xff", factory, salt, initCodeHash).slice(-40)
  return checksummed(`0x${digits}`)
}

/** The factory's call that creates the wallet. */
export const creationCalldata = (singleton: Address, initializer: Hex, saltNonce: bigint): Hex =>
  encodeFunctionData({
    abi: safeAbi,
    functionName: "createProxyWithNonce",
    args: [singleton, initializer, saltNonce]
  })
