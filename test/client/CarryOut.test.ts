import { spawn } from "node:child_process"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { toHex } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { CarryProgress } from "../../src/client/CarryOut.ts"
import { createClient } from "../../src/client/Client.ts"
import { AlteredPlan, ClientMisuse, StepHeld } from "../../src/client/Errors.ts"
import type { Eip1193Provider } from "../../src/client/Signer.ts"
import { memoryStore } from "../../src/client/Store.ts"
import { eip1193Wallet } from "../../src/client/TransactionWallet.ts"
import type { Plan } from "../../src/plans/Plan.ts"
import { keptProgram } from "../support/KeptProgram.ts"
import { type RelayBench, startRelayBench } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { contractId, NATIVE_TOKEN } from "../support/Sandbox.ts"
import { accountOf, newKey } from "./support/Parties.ts"

let bench: RelayBench

beforeAll(async () => {
  bench = await startRelayBench()
  await rpc(bench.chain.url, "evm_setIntervalMining", [1])
})

afterAll(() => bench.stop())

const newOwner = async (privateKey = generatePrivateKey()) => {
  const wallet = privateKeyToAccount(privateKey)
  await rpc(bench.chain.url, "anvil_setBalance", [wallet.address, toHex(10n ** 21n)])
  const client = createClient({
    baseUrl: bench.service.url,
    account: accountOf(wallet.address),
    signer: wallet
  })
  await client.accounts.enroll()
  return { privateKey, wallet, client }
}

type Owner = Awaited<ReturnType<typeof newOwner>>

const planned = async ({ client, wallet }: Pick<Owner, "client" | "wallet">, calls = 1): Promise<Plan> => {
  const pay = {
    chainId: 31_337,
    contractId: contractId(bench.manifest, "JBMultiTerminal"),
    function: "pay(uint256,address,uint256,address,uint256,string,bytes)",
    args: ["2", NATIVE_TOKEN, "1000", wallet.address, "0", "thanks", "0x"],
    value: "1000"
  }
  const chained = [pay, { ...pay, dependsOn: [0] }].slice(0, calls)
  return (await client.plans.create({ account: wallet.address, calls: chained })).plan
}

/** What left for the chain of these wallets' transactions, each hash as often as it left. */
const leftSince = (from: number): ReadonlyArray<string> =>
  bench.proxy
    .sent()
    .slice(from)
    .map(({ raw }) => raw.hash)

const rejection = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => assert.fail("it resolved"),
    (failure: unknown) => failure
  )

/** The node of the chain, as a wallet's provider. */
const node: Eip1193Provider = {
  request: ({ method, params = [] }) => rpc(bench.chain.url, method, [...params])
}

/** A browser's wallet of this key, which signs no transaction without sending it. */
const browserWallet = ({ wallet }: Owner, saw: (hash: string) => void = () => {}): Eip1193Provider => ({
  request: async ({ method, params = [] }) => {
    if (method !== "eth_sendTransaction") return node.request({ method, params })
    const { to, data, value } = Object(params[0])
    const nonce = Number(
      await node.request({ method: "eth_getTransactionCount", params: [wallet.address, "pending"] })
    )
    const fees = { gas: 900_000n, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n }
    const call = { type: "eip1559", chainId: 31_337, to, data, value: BigInt(value), nonce } as const
    const raw = await wallet.signTransaction({ ...call, ...fees })
    const hash = await node.request({ method: "eth_sendRawTransaction", params: [raw] })
    saw(String(hash))
    return hash
  }
})

describe("a plan carried out", { timeout: 120_000 }, () => {
  it("is signed, submitted and followed step by step, with its progress told", async () => {
    const owner = await newOwner()
    const plan = await planned(owner, 2)
    const told: Array<string> = []
    const onProgress = ({ kind, step }: CarryProgress) => told.push(`${kind} ${step.index}`)
    const store = memoryStore()
    const from = bench.proxy.sent().length
    const { wallet } = owner
    const carried = await owner.client.plans.carryOut(plan, {
      wallet,
      rpc: bench.chain.url,
      store,
      onProgress
    })
    assert.strictEqual(carried.status, "transactions_confirmed")
    assert.strictEqual(new Set(leftSince(from)).size, 2)
    assert.deepStrictEqual(
      told.filter(each => !each.startsWith("change")),
      ["turn 0", "submitted 0", "turn 1", "submitted 1"]
    )
    assert.includeMembers(told, ["change 0", "change 1"])
    assert.isUndefined(await store.recall(`${plan.id}.0`))
    const again = await owner.client.plans.carryOut(plan, { wallet, rpc: bench.chain.url, store })
    assert.strictEqual(again.status, "transactions_confirmed")
    assert.strictEqual(leftSince(from).length, 2)
  })

  it("is submitted by a bot where the owner approves each step", async () => {
    const owner = await newOwner()
    const key = newKey()
    const terms = { bot: key, scopes: ["read", "plan", "relay"] as const, expiresAt: inAnHour() }
    const { id: grantId } = await owner.client.bots.grant(terms)
    const { account } = owner.client
    const client = createClient({ baseUrl: bench.service.url, account, signer: key, grantId })
    const plan = await planned({ client, wallet: owner.wallet })
    const options = { wallet: owner.wallet, rpc: node }
    assert.instanceOf(await rejection(client.plans.carryOut(plan, options)), ClientMisuse)
    const carried = await client.plans.carryOut(plan, { ...options, owner: owner.wallet })
    assert.strictEqual(carried.status, "transactions_confirmed")
  })

  it("is refused to another wallet, and where another plan is shown in its place", async () => {
    const owner = await newOwner()
    const [plan, other] = [await planned(owner), await planned(owner, 2)]
    const options = { rpc: node, wallet: owner.wallet }
    const elsewhere = owner.client.plans.carryOut(plan, { ...options, wallet: newKey() })
    assert.instanceOf(await rejection(elsewhere), ClientMisuse)
    const swapped = owner.client.plans.carryOut({ ...plan, commitment: other.commitment }, options)
    assert.instanceOf(await rejection(swapped), AlteredPlan)
  })

  it("waits for its turn, so that two plans of one wallet never sign for one nonce", async () => {
    const owner = await newOwner()
    const plans = [await planned(owner), await planned(owner)]
    const nonces: Array<number> = []
    const wallet = {
      address: owner.wallet.address,
      signTransaction: (transaction: Parameters<typeof owner.wallet.signTransaction>[0]) => {
        nonces.push(Number(transaction.nonce))
        return owner.wallet.signTransaction(transaction)
      }
    }
    const carried = await Promise.all(
      plans.map(plan => owner.client.plans.carryOut(plan, { wallet, rpc: node }))
    )
    assert.deepStrictEqual(
      carried.map(({ status }) => status),
      ["transactions_confirmed", "transactions_confirmed"]
    )
    assert.deepStrictEqual(nonces, [0, 1])
  })

  it("signs nothing for a nonce that a step was signed for which may still be sent, until that step went", async () => {
    const owner = await newOwner()
    const [first, second] = [await planned(owner), await planned(owner)]
    const options = { wallet: owner.wallet, rpc: node, store: memoryStore() }
    const baseUrl = bench.service.url
    const cut = async (url: string, init: RequestInit): Promise<Response> => {
      if (url.endsWith("/submissions")) throw new TypeError("cut off")
      return fetch(url, init)
    }
    const { account } = owner.client
    const offline = createClient({ baseUrl, account, signer: owner.wallet, fetch: cut, retries: 0 })
    await rejection(offline.plans.carryOut(first, options))
    const held = await rejection(owner.client.plans.carryOut(second, options))
    assert.instanceOf(held, StepHeld)
    assert.deepInclude(held, { reason: "nonce", planId: first.id, step: 0 })
    const told: Array<string> = []
    const onProgress = ({ kind }: CarryProgress) => told.push(kind)
    const carried = await owner.client.plans.carryOut(first, { ...options, onProgress })
    assert.strictEqual(carried.status, "transactions_confirmed")
    assert.include(told, "again")
    assert.strictEqual((await owner.client.plans.carryOut(second, options)).status, "transactions_confirmed")
  })

  it("has the service follow what a browser's wallet sent by itself, read back and proved", async () => {
    const owner = await newOwner()
    const plan = await planned(owner)
    const from = bench.proxy.sent().length
    const wallet = eip1193Wallet(browserWallet(owner), owner.wallet.address)
    const carried = await owner.client.plans.carryOut(plan, { wallet, rpc: node })
    assert.strictEqual(carried.status, "transactions_confirmed")
    assert.strictEqual(carried.steps[0]?.dispatch?.status, "already-observed")
    assert.deepStrictEqual(leftSince(from), [])
  })

  it("asks a wallet no second time whose answer nobody saw, and goes on with the hash", async () => {
    const owner = await newOwner()
    const plan = await planned(owner)
    const seen: Array<string> = []
    const provider = browserWallet(owner, hash => {
      seen.push(hash)
      throw new Error("the page was closed")
    })
    const wallet = eip1193Wallet(provider, owner.wallet.address)
    const options = { wallet, rpc: node, store: memoryStore() }
    await rejection(owner.client.plans.carryOut(plan, options))
    const held = await rejection(owner.client.plans.carryOut(plan, options))
    assert.instanceOf(held, StepHeld)
    assert.strictEqual(held.reason, "asked")
    const [hash = assert.fail("the wallet sent nothing"), ...more] = seen
    assert.deepStrictEqual(more, [])
    const carried = await owner.client.plans.carryOut(plan, { ...options, sent: { 0: hash } })
    assert.strictEqual(carried.status, "transactions_confirmed")
  })

  it("binds nothing that a wallet sent in place of the planned call", async () => {
    const owner = await newOwner()
    const plan = await planned(owner)
    const provider = browserWallet(owner)
    const altering = {
      address: owner.wallet.address,
      sendTransaction: async (call: { readonly to: string; readonly data: string }) =>
        String(
          await provider.request({
            method: "eth_sendTransaction",
            params: [{ to: call.to, data: call.data, value: "0x3e9" }]
          })
        )
    }
    const options = { wallet: altering, rpc: node }
    const held = await rejection(owner.client.plans.carryOut(plan, options))
    assert.instanceOf(held, StepHeld)
    assert.strictEqual(held.reason, "other")
    assert.match(held.message, /its value is not the planned one/)
    assert.notProperty((await owner.client.plans.show(plan.id)).steps[0], "transaction")
  })
})

const inAnHour = () => Math.floor(Date.now() / 1000) + 3_600

interface Ended {
  readonly signal: NodeJS.Signals | null
  readonly printed: string
}

const bot = async (owner: Owner, plan: Plan, directory: string, killed = ""): Promise<Ended> => {
  const program = await keptProgram("test/client/support/CarryingBot.ts")
  const env = {
    SERVICE: bench.service.url,
    NODE: bench.chain.url,
    KEY: owner.privateKey,
    DIRECTORY: directory,
    PLAN: plan.id,
    KILLED: killed
  }
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program], { env, stdio: ["ignore", "pipe", "pipe"] })
    let printed = ""
    child.stdout.on("data", chunk => {
      printed += String(chunk)
    })
    child.stderr.on("data", chunk => {
      printed += String(chunk)
    })
    child.once("error", reject)
    child.once("close", (_, signal) => resolve({ signal, printed }))
  })
}

describe("a process that is killed", { timeout: 120_000 }, () => {
  it.each([
    ["between keeping the bytes and submitting them", "kept", 0],
    ["between submitting the bytes and their answer", "answered", 1]
  ] as const)("%s goes on with the same bytes, which leave once", async (_, point, leftBefore) => {
    const owner = await newOwner()
    const plan = await planned(owner)
    const directory = await mkdtemp(join(tmpdir(), "carrying-"))
    try {
      const from = bench.proxy.sent().length
      const first = await bot(owner, plan, directory, point)
      assert.strictEqual(first.signal, "SIGKILL", first.printed)
      assert.strictEqual(leftSince(from).length, leftBefore)
      assert.include(await readdir(directory), `${plan.id}.0`)
      const second = await bot(owner, plan, directory)
      assert.strictEqual(second.printed.trim().split("\n").at(-1), "transactions_confirmed", second.printed)
      assert.strictEqual(leftSince(from).length, 1)
      const { dispatch } = (await owner.client.plans.show(plan.id)).steps[0] ?? {}
      assert.strictEqual(dispatch?.count, 1)
      assert.deepStrictEqual(await readdir(directory), [])
    } finally {
      await rm(directory, { recursive: true })
    }
  })
})
