/** The sandbox's contracts and projects where a public chain has the protocol's, on a local chain with its id. */
import { readFile } from "node:fs/promises"
import { type Address, type Hex, numberToHex } from "viem"
import { mnemonicToAccount } from "viem/accounts"
import { assert, vi } from "vitest"
import * as addresses from "../../sandbox/addresses.ts"
import type { SandboxAccounts, SandboxCall } from "../../sandbox/calls.ts"
import { type SandboxContract, sandboxContracts } from "../../sandbox/contracts.ts"
import { SANDBOX_MNEMONIC } from "../../sandbox/deploy.ts"
import { suckersOf } from "../../sandbox/families/suckers.ts"
import { seedCalls } from "../../sandbox/seed.ts"
import { rpc } from "./RelayBench.ts"

const GAS_LIMIT = numberToHex(10_000_000)
const SANDBOX_CHAIN_ID = 31_337

/** Base has no bridge to itself, but the same one under the name of the other end. */
const PUBLISHED_AS: Readonly<Record<string, string>> = {
  JBOptimismSucker: "JBBaseSucker",
  JBOptimismSuckerDeployer: "JBBaseSuckerDeployer"
}

interface PublishedRow {
  readonly chainId: number
  readonly alias: string
  readonly address: Address
}

const publishedOn = async (chainId: number): Promise<ReadonlyMap<string, Address>> => {
  const rows: ReadonlyArray<PublishedRow> = JSON.parse(
    await readFile("schema/protocol/deployments.json", "utf8")
  )
  const here = rows.filter(row => row.chainId === chainId)
  return new Map(here.map(({ alias, address }) => [alias, addresses.lowerCase(address)]))
}

const account = (addressIndex: number) => mnemonicToAccount(SANDBOX_MNEMONIC, { addressIndex }).address
const accounts: SandboxAccounts = { owner: account(0), holder: account(1), beneficiary: account(2) }

interface Planned {
  readonly contracts: ReadonlyArray<SandboxContract>
  readonly calls: ReadonlyArray<SandboxCall>
  readonly suckers: readonly [Address, Address]
}

const planned = (): Planned => ({
  contracts: sandboxContracts(accounts.owner),
  calls: seedCalls(accounts),
  suckers: suckersOf(accounts.owner)
})

const plannedAt = (places: ReadonlyMap<string, Address>): Planned => {
  const placed = vi.spyOn(addresses, "addressOf")
  placed.mockImplementation(name => places.get(PUBLISHED_AS[name] ?? name) ?? assert.fail(`no ${name}`))
  try {
    return planned()
  } finally {
    placed.mockRestore()
  }
}

const word = (value: number) => value.toString(16).padStart(64, "0")

/** Runs the creation code where the contract shall stand, so that its storage and its immutables are of that place. */
const create = async (url: string, { address, creationCode }: SandboxContract) => {
  const creation = { from: accounts.owner, to: address, data: "0x" }
  await rpc(url, "anvil_setCode", [address, creationCode])
  const code: Hex = await rpc(url, "eth_call", [creation, "latest"])
  await sent(url, creation)
  await rpc(url, "anvil_setCode", [address, code])
  await rpc(url, "anvil_setNonce", [address, "0x1"])
}

const sent = async (url: string, transaction: object) => {
  const receipt = await rpc(url, "eth_sendTransactionSync", [{ gas: GAS_LIMIT, ...transaction }])
  assert.strictEqual(receipt?.status, "0x1", JSON.stringify(transaction).slice(0, 300))
}

export const placeSandbox = async (url: string, chainId: number) => {
  const { contracts, calls, suckers } = plannedAt(await publishedOn(chainId))
  for (const contract of contracts) await create(url, contract)
  for (const { to, data, value } of calls) {
    const here = data.replaceAll(word(SANDBOX_CHAIN_ID), word(chainId))
    await sent(url, { from: accounts.owner, to, data: here, value: numberToHex(value) })
  }
  const before = planned()
  const moved = [
    ...before.contracts.map(({ address }, index) => [address, contracts[index]?.address ?? ""] as const),
    ...before.suckers.map((address, index) => [address, suckers[index] ?? ""] as const)
  ]
  const relocated = (input: object): object => {
    const text = JSON.stringify(input).replaceAll(String(SANDBOX_CHAIN_ID), String(chainId))
    return JSON.parse(moved.reduce((now, [from, to]) => now.replaceAll(new RegExp(from, "gi"), to), text))
  }
  const deployments = contracts.map(({ name, contractId, address }) => ({ alias: name, contractId, address }))
  return { manifest: { deployments, accounts }, relocated }
}

export type PublishedSandbox = Awaited<ReturnType<typeof placeSandbox>>
