/** The sandbox's contracts and projects where a public chain has the protocol's, with a service that knows the chain's RPC URL alone. */
import { readFile } from "node:fs/promises"
import { Either } from "effect"
import { type Address, type Hex, numberToHex } from "viem"
import { assert, vi } from "vitest"
import * as addresses from "../../sandbox/addresses.ts"
import { type SandboxContract, sandboxContracts } from "../../sandbox/contracts.ts"
import { suckersOf } from "../../sandbox/families/suckers.ts"
import { seedCalls } from "../../sandbox/seed.ts"
import type { PrepareId } from "../../src/operations/generated/OperationIds.ts"
import { decodeSettings } from "../../src/settings/decode.ts"
import { PLAN_INPUTS, type Planned } from "../operations/support/PlanInputs.ts"
import { startAnvil } from "./Anvil.ts"
import { enrolled, prepared, relayed } from "./PlanBench.ts"
import { mine } from "./RelayBench.ts"
import { rpc } from "./Rpc.ts"
import { fundedOwner } from "./Sandbox.ts"
import { startService } from "./Service.ts"

export const BASE = 8453
const SANDBOX_CHAIN_ID = 31_337
const GAS_LIMIT = numberToHex(10_000_000)

/** Under which of its published names a contract of the sandbox is placed, where that is not its own. */
type PublishedNames = Readonly<Record<string, string>>

interface PublishedRow {
  readonly chainId: number
  readonly alias: string
  readonly address: Address
}

const publishedOnBase = async (): Promise<ReadonlyMap<string, Address>> => {
  const rows: ReadonlyArray<PublishedRow> = JSON.parse(
    await readFile("schema/protocol/deployments.json", "utf8")
  )
  const here = rows.filter(({ chainId }) => chainId === BASE)
  return new Map(here.map(({ alias, address }) => [alias, addresses.lowerCase(address)]))
}

const [owner, holder, beneficiary] = [0, 1, 2].map(index => fundedOwner(index).key.address)
const accounts = {
  owner: owner ?? assert.fail(),
  holder: holder ?? assert.fail(),
  beneficiary: beneficiary ?? assert.fail()
}

const layout = () => ({
  contracts: sandboxContracts(accounts.owner),
  calls: seedCalls(accounts),
  suckers: suckersOf(accounts.owner)
})

type Layout = ReturnType<typeof layout>

/** All that the sandbox is made of follows from where its contracts stand. */
const layoutAt = (places: ReadonlyMap<string, Address>, names: PublishedNames): Layout => {
  const placed = vi.spyOn(addresses, "addressOf")
  placed.mockImplementation(name => places.get(names[name] ?? name) ?? assert.fail(`no ${name}`))
  try {
    return layout()
  } finally {
    placed.mockRestore()
  }
}

const sent = async (url: string, transaction: object) => {
  const call = { from: accounts.owner, gas: GAS_LIMIT, ...transaction }
  const receipt = await rpc(url, "eth_sendTransactionSync", [call])
  assert.strictEqual(receipt?.status, "0x1", JSON.stringify(transaction).slice(0, 300))
}

/** The creation code runs where the contract shall stand, so that its storage and its immutables are of that place. */
const create = async (url: string, { address, creationCode }: SandboxContract) => {
  const creation = { from: accounts.owner, to: address, data: "0x" }
  await rpc(url, "anvil_setCode", [address, creationCode])
  const code: Hex = await rpc(url, "eth_call", [creation, "latest"])
  await sent(url, creation)
  await rpc(url, "anvil_setCode", [address, code])
  await rpc(url, "anvil_setNonce", [address, "0x1"])
}

const word = (value: number) => value.toString(16).padStart(64, "0")

const place = async (url: string, { contracts, calls }: Layout) => {
  for (const contract of contracts) await create(url, contract)
  for (const { to, data, value } of calls) {
    const here = data.replaceAll(word(SANDBOX_CHAIN_ID), word(BASE))
    await sent(url, { to, data: here, value: numberToHex(value) })
  }
}

/** What is asked of the sandbox, asked of this chain. */
const relocation = (there: Layout) => {
  const places = ({ contracts, suckers }: Layout) => [...contracts.map(({ address }) => address), ...suckers]
  const [from, to] = [places(layout()), places(there)]
  return (input: object): object => {
    const text = JSON.stringify(input).replaceAll(String(SANDBOX_CHAIN_ID), String(BASE))
    return JSON.parse(
      from.reduce((now, place, index) => now.replaceAll(new RegExp(place, "gi"), to[index] ?? ""), text)
    )
  }
}

export const startPublished = async (names: PublishedNames) => {
  const chain = await startAnvil({ args: ["--chain-id", String(BASE)] })
  const there = layoutAt(await publishedOnBase(), names)
  await place(chain.url, there)
  const { chains } = Either.getOrThrow(decodeSettings({ [`SERVICE_RPC_${BASE}`]: chain.url }))
  const service = await startService({ settings: { chains } })
  const parties = [await enrolled({ service }, 0, BASE), await enrolled({ service }, 1, BASE)] as const
  const relocated = relocation(there)
  const deployments = there.contracts.map(({ name, address }) => ({ alias: name, address }))
  const manifest = { deployments, accounts }

  const planned = async (id: PrepareId, { account, input }: Planned = PLAN_INPUTS[id] ?? assert.fail(id)) => {
    const asked = typeof input === "function" ? await input({ chain, manifest }) : input
    await mine({ chain }, 1)
    return prepared({ service }, parties[account], id, relocated(asked))
  }

  return {
    service,
    manifest,
    planned,
    /** Each of its calls was verified. */
    carriedOut: async (id: PrepareId, asked?: Planned) => {
      const plan = await planned(id, asked)
      const party = parties.find(({ key }) => key.address === plan.account) ?? assert.fail()
      return relayed({ service, chain }, party, plan)
    },
    stop: async () => {
      await service.stop()
      await chain.stop()
    }
  }
}

export type Published = Awaited<ReturnType<typeof startPublished>>
