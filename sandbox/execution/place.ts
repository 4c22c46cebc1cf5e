/** Puts the contracts of smart accounts on a local chain, at the addresses that their code and their creators decide. */
import {
  type Address,
  concatHex,
  createTestClient,
  encodeAbiParameters,
  type Hex,
  http,
  keccak256,
  numberToHex,
  parseEther,
  publicActions,
  zeroAddress,
  zeroHash
} from "viem"
import { foundry } from "viem/chains"
import stack from "../../schema/execution/stack.json" with { type: "json" }
import { hex } from "../addresses.ts"
import paymaster from "../artifacts/SandboxPaymaster.json" with { type: "json" }
import guard from "../artifacts/SessionGuard.json" with { type: "json" }
import type { CreationCodes } from "./Packages.ts"

/** Stands on every local chain. */
const CREATOR: Address = "0x4e59b44847b379578588920cA78FbF26c0B4956C"
/** Where public networks have the same program for Safe's contracts. */
const SAFE_CREATOR: Address = "0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7"
const ENTRY_POINT_SALT = "0x90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3"
/** Whose signatures the paymaster pays for; the bundler's process has the key. */
export const PAYMASTER_SIGNER: Address = "0x819231dC89969E3Ed43530AA357732566752FEa1"
/** Nobody's, so that no development account's nonce moves. */
const SENDER: Address = "0x00000000000000000000000000000000005afe00"
const FUNDS = parseEther("1000")
const GAS_LIMIT = numberToHex(10_000_000)

const connect = (url: string) =>
  createTestClient({ mode: "anvil", chain: foundry, transport: http(url), cacheTime: 0 }).extend(
    publicActions
  )

type Client = ReturnType<typeof connect>

interface Creation {
  readonly creator: Address
  readonly salt: Hex
  readonly code: Hex
}

const ADDRESS = { type: "address" } as const

/** The launchpad knows its entry point, and asks no registry of modules. */
const launchpadOf = (code: Hex): Hex =>
  concatHex([
    code,
    encodeAbiParameters([ADDRESS, ADDRESS], [hex(stack.pins.entryPoint.address), zeroAddress])
  ])

const paymasterCode = (): Hex =>
  concatHex([hex(paymaster.bytecode), encodeAbiParameters([ADDRESS], [PAYMASTER_SIGNER])])

const guardCode = (): Hex => {
  const { entryPoint, adapter } = stack.pins
  const places = [hex(entryPoint.address), hex(adapter.address)] as const
  return concatHex([hex(guard.bytecode), encodeAbiParameters([ADDRESS, ADDRESS], places)])
}

const creationsOf = (codes: CreationCodes): Readonly<Record<string, Creation>> => ({
  entryPoint: { creator: CREATOR, salt: ENTRY_POINT_SALT, code: codes.entryPoint },
  singleton: { creator: SAFE_CREATOR, salt: zeroHash, code: codes.singleton },
  factory: { creator: SAFE_CREATOR, salt: zeroHash, code: codes.factory },
  adapter: { creator: CREATOR, salt: zeroHash, code: codes.adapter },
  launchpad: { creator: CREATOR, salt: zeroHash, code: launchpadOf(codes.launchpad) },
  guard: { creator: CREATOR, salt: zeroHash, code: guardCode() },
  paymaster: { creator: CREATOR, salt: zeroHash, code: paymasterCode() }
})

const pins = (): ReadonlyArray<readonly [name: string, pin: (typeof stack.paymasters)[number]]> => [
  ...Object.entries(stack.pins),
  ...stack.paymasters.map(pin => ["paymaster", pin] as const)
]

/** The pins that the chain does not have; other code at one of their addresses is an error. */
const missingOn = async (client: Client): Promise<ReadonlyArray<string>> => {
  const names = await Promise.all(
    pins().map(async ([name, { address, runtimeCodeHash }]) => {
      const code = await client.getCode({ address: hex(address) })
      if (code === undefined) return [name]
      if (keccak256(code) === runtimeCodeHash) return []
      throw new Error(`The code at ${address} is not that of the ${name} that smart accounts need.`)
    })
  )
  return names.flat()
}

const create = async (client: Client, { creator, salt, code }: Creation): Promise<void> => {
  const transaction = { from: SENDER, to: creator, data: concatHex([salt, code]), gas: GAS_LIMIT }
  await client.transport.request({ method: "eth_sendTransactionSync", params: [transaction] })
}

const prepare = async (client: Client): Promise<void> => {
  const program = await client.getCode({ address: CREATOR })
  if (program === undefined) throw new Error(`The local chain has no creator of contracts at ${CREATOR}.`)
  await client.setCode({ address: SAFE_CREATOR, bytecode: program })
  await client.setBalance({ address: SENDER, value: FUNDS })
  await client.impersonateAccount({ address: SENDER })
}

/** As often as wanted: what stands already stays. */
export const placeStack = async (rpcUrl: string, codes: () => CreationCodes): Promise<void> => {
  const client = connect(rpcUrl)
  const missing = await missingOn(client)
  if (missing.length === 0) return
  await prepare(client)
  const creations = creationsOf(codes())
  for (const name of missing) {
    const creation = creations[name]
    if (creation !== undefined) await create(client, creation)
  }
  await client.stopImpersonatingAccount({ address: SENDER })
  const left = await missingOn(client)
  if (left.length > 0) throw new Error(`The local chain took no code for ${left.join(", ")}.`)
}
