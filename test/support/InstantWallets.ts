/** Wallets of one owner each on a chain that answers at once: they are what a manifest says, and whatever they are to do goes well. */
import {
  type Address,
  decodeFunctionData,
  encodeAbiParameters,
  type Hex,
  keccak256,
  parseAbi,
  parseAbiParameters,
  toFunctionSelector,
  zeroAddress,
  zeroHash
} from "viem"
import { localManifest } from "../../sandbox/execution/Manifest.ts"
import { revised, type SmartManifest } from "../../src/smartaccounts/Manifest.ts"
import { keccak256Utf8 } from "../../src/values/Keccak.ts"
import { forwarderResults, INSTANT_CHAIN } from "./InstantForwarder.ts"

/** About as long as those of the contracts that are used. */
const CODE_BYTES: Readonly<Record<string, number>> = {
  singleton: 23_600,
  factory: 3_400,
  adapter: 24_000,
  launchpad: 12_800,
  entryPoint: 16_000,
  senderCreator: 500
}
const PAYMASTER_BYTES = 2_000
const PROXY_BYTES = 171

const codeOf = (name: string, bytes: number): Hex =>
  `0x${keccak256Utf8(name)
    .slice(2)
    .repeat(Math.ceil(bytes / 32))
    .slice(0, 2 * bytes)}`

const PROXY = codeOf("proxy", PROXY_BYTES)

interface Placed {
  readonly address: Address
  readonly code: Hex
}

const pinned = <Pin extends { readonly address: Address }>(name: string, pin: Pin, bytes: number) => {
  const code = codeOf(name, bytes)
  return { placed: { address: pin.address, code }, pin: { ...pin, runtimeCodeHash: keccak256(code) } }
}

const pinnedAll = () => {
  const { revision: _, pins, ...terms } = localManifest()
  const { guard: __, paymasters, ...named } = pins
  const codes: Array<Placed> = []
  const take = <Pin extends { readonly address: Address }>(name: string, pin: Pin, bytes: number) => {
    const taken = pinned(name, pin, bytes)
    codes.push(taken.placed)
    return taken.pin
  }
  const bytesOf = (name: string) => CODE_BYTES[name] ?? PAYMASTER_BYTES
  const manifest = revised({
    ...terms,
    proxyRuntimeCodeHash: keccak256(PROXY),
    pins: {
      singleton: take("singleton", named.singleton, bytesOf("singleton")),
      factory: take("factory", named.factory, bytesOf("factory")),
      adapter: take("adapter", named.adapter, bytesOf("adapter")),
      launchpad: take("launchpad", named.launchpad, bytesOf("launchpad")),
      entryPoint: take("entryPoint", named.entryPoint, bytesOf("entryPoint")),
      senderCreator: take("senderCreator", named.senderCreator, bytesOf("senderCreator")),
      paymasters: paymasters.map(pin => take("paymaster", pin, PAYMASTER_BYTES))
    }
  })
  return { manifest, codes }
}

const { manifest, codes } = pinnedAll()

export const instantWalletManifest: SmartManifest = manifest

/** Nobody's else. */
export const instantWalletOf = (owner: string): Address =>
  `0x${(BigInt(owner) ^ (2n ** 160n - 1n)).toString(16).padStart(40, "0")}`

const { adapter, entryPoint, singleton } = manifest.pins
const member = (value: unknown, name: string): unknown => Object(value)[name]

const SENTINEL = "0x0000000000000000000000000000000000000001"

const page = (members: ReadonlyArray<Address>): Hex =>
  encodeAbiParameters(parseAbiParameters("address[], address"), [members, SENTINEL])
const wordOf = (address: string): Hex => `0x${address.slice(2).toLowerCase().padStart(64, "0")}`
const ONE_OWNER: Hex = `${wordOf("0x20")}${wordOf("0x1").slice(2)}`

const VALIDATORS = toFunctionSelector("getValidatorsPaginated(address,uint256)")

/** Where it is asked of a wallet which validators it has: that one. */
export const validatorsTold = (asked: unknown, validator: Address): Hex | undefined =>
  String(member(asked, "data")).startsWith(VALIDATORS) ? page([validator]) : undefined

const always = (told: Hex) => () => told

const HANDLER_SLOT = keccak256Utf8("fallback_manager.handler.address").slice(2)
const bytesOf = (word: Hex): Hex => encodeAbiParameters(parseAbiParameters("bytes"), [word])
const HANDLER = bytesOf(wordOf(adapter.address))
const NO_GUARD = bytesOf(zeroHash)

/** Made once, but for the owner: what such a node takes of the processor is nobody's to measure. */
const TOLD: ReadonlyArray<readonly [signature: string, told: (owner: Address, data: Hex) => Hex]> = [
  ["function VERSION()", always(encodeAbiParameters(parseAbiParameters("string"), [manifest.safeVersion]))],
  ["function getOwners()", owner => `${ONE_OWNER}${wordOf(owner).slice(2)}`],
  ["function getThreshold()", always(wordOf("0x1"))],
  ["function getModulesPaginated(address,uint256)", always(page([adapter.address]))],
  ["function getValidatorsPaginated(address,uint256)", always(page([]))],
  ["function getExecutorsPaginated(address,uint256)", always(page([]))],
  ["function getActiveHook()", always(wordOf(zeroAddress))],
  ["function entryPoint()", always(wordOf(entryPoint.address))],
  ["function getStorageAt(uint256,uint256)", (_, data) => (data.includes(HANDLER_SLOT) ? HANDLER : NO_GUARD)]
]
const told = new Map(TOLD.map(([signature, tell]) => [toFunctionSelector(signature), tell]))

const PACKED =
  "struct Packed { address sender; uint256 nonce; bytes initCode; bytes callData; bytes32 accountGasLimits; uint256 preVerificationGas; bytes32 gasFees; bytes paymasterAndData; bytes signature; }"
const entryPointAbi = parseAbi([
  PACKED,
  "function handleOps(Packed[] ops, address beneficiary)",
  "function getUserOpHash(Packed op) view returns (bytes32)"
])
const HASHED = parseAbiParameters("address, uint256, bytes32, bytes32, bytes32, uint256, bytes32, bytes32")

/** Of an operation as it is packed. */
const operationIn = (data: unknown): { readonly hash: Hex; readonly sender: Address } => {
  const { args } = decodeFunctionData({ abi: entryPointAbi, data: `0x${String(data).slice(2)}` })
  const [given] = args
  const operation = "sender" in given ? given : given[0]
  if (operation === undefined) throw new Error("a bundle of nothing")
  const { sender, nonce, initCode, callData, accountGasLimits, preVerificationGas } = operation
  const inner = encodeAbiParameters(HASHED, [
    ...([
      sender,
      nonce,
      keccak256(initCode),
      keccak256(callData),
      accountGasLimits,
      preVerificationGas
    ] as const),
    operation.gasFees,
    keccak256(operation.paymasterAndData)
  ])
  const outer = parseAbiParameters("bytes32, address, uint256")
  const hash = keccak256(
    encodeAbiParameters(outer, [keccak256(inner), entryPoint.address, BigInt(INSTANT_CHAIN)])
  )
  return { hash, sender }
}

const GET_HASH = toFunctionSelector(
  "getUserOpHash((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes))"
)
const OPERATION_EVENT = keccak256Utf8(
  "UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)"
)
const SET_UP = keccak256Utf8("SafeSetup(address,address[],uint256,address,address)")

const ran = (data: unknown) => {
  const { hash, sender } = operationIn(data)
  const succeeded = encodeAbiParameters(parseAbiParameters("uint256, bool, uint256, uint256"), [
    0n,
    true,
    1n,
    1n
  ])
  const topics = [OPERATION_EVENT, hash, wordOf(sender), wordOf(zeroAddress)]
  const logs = [{ address: entryPoint.address.toLowerCase(), topics, data: succeeded }]
  return [{ calls: [{ status: "0x1", returnData: "0x", gasUsed: "0x15f90", logs }] }]
}

const setUpLog = (wallet: unknown) => ({
  ...{
    address: instantKey(wallet),
    topics: [SET_UP],
    data: "0x",
    blockHash: zeroHash,
    transactionHash: zeroHash
  },
  ...{ blockNumber: "0x1", logIndex: "0x0", transactionIndex: "0x0" }
})

const simulatedCall = (asked: unknown): unknown =>
  member(member(member(member(asked, "blockStateCalls"), "0"), "calls"), "0")

/** What a chain with the wallets of these owners answers, beyond what one with a forwarder does. */
export const walletResults = (owners: ReadonlyArray<Address>): typeof forwarderResults => {
  const ownerOf = new Map(owners.map(owner => [instantWalletOf(owner), owner]))
  const codeAt = new Map(codes.map(({ address, code }) => [address.toLowerCase(), code]))
  for (const wallet of ownerOf.keys()) codeAt.set(wallet, PROXY)
  const answered = (to: Address, data: Hex) => {
    const owner = ownerOf.get(to)
    if (owner !== undefined) return told.get(`0x${data.slice(2, 10)}`)?.(owner, data)
    return data.startsWith(GET_HASH) ? operationIn(data).hash : undefined
  }
  const called = (asked: unknown) => {
    const data: Hex = `0x${String(member(asked, "data")).slice(2)}`
    return answered(instantKey(member(asked, "to")), data) ?? forwarderResults.eth_call?.(asked, undefined)
  }
  return {
    ...forwarderResults,
    eth_call: called,
    eth_getCode: (address, at) =>
      codeAt.get(String(address).toLowerCase()) ?? forwarderResults.eth_getCode?.(address, at),
    eth_getStorageAt: (_, slot) => (slot === zeroHash ? wordOf(singleton.address) : zeroHash),
    eth_getLogs: asked =>
      JSON.stringify(asked).includes(SET_UP) ? [setUpLog(member(asked, "address"))] : [],
    eth_simulateV1: (asked, at) => {
      const call = simulatedCall(asked)
      const isBundle = String(member(call, "to")).toLowerCase() === entryPoint.address.toLowerCase()
      return isBundle ? ran(member(call, "data")) : forwarderResults.eth_simulateV1?.(asked, at)
    }
  }
}

const instantKey = (address: unknown): Address => `0x${String(address).slice(2).toLowerCase()}`
