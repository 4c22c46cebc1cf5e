/** A plan sponsored from its preparation to its proved effects, paid to the reference provider, wherever the process dies. */
import { spawn } from "node:child_process"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { toHex } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, assert, describe, it } from "vitest"
import { createClient } from "../../src/client/Client.ts"
import { memoryStore } from "../../src/client/Store.ts"
import type { Plan } from "../../src/plans/Plan.ts"
import type { Sponsorship } from "../../src/sponsorship/Sponsorship.ts"
import { startQuotedBench } from "../sponsorship/support/Quoted.ts"
import { keptProgram } from "../support/KeptProgram.ts"
import { PAY } from "../support/PlannedCalls.ts"
import { rpc } from "../support/Rpc.ts"
import { contractId, NATIVE_TOKEN } from "../support/Sandbox.ts"
import { until } from "../support/Until.ts"
import { accountOf } from "./support/Parties.ts"

const bench = await startQuotedBench()
const { service, chain } = bench
await rpc(chain.url, "evm_setIntervalMining", [1])

afterAll(() => bench.stop())

const newOwner = async () => {
  const privateKey = generatePrivateKey()
  const wallet = privateKeyToAccount(privateKey)
  await rpc(chain.url, "anvil_setBalance", [wallet.address, toHex(10n ** 21n)])
  const client = createClient({
    baseUrl: service.url,
    account: accountOf(wallet.address),
    signer: wallet
  })
  await client.accounts.enroll()
  return { privateKey, wallet, client }
}

type Owner = Awaited<ReturnType<typeof newOwner>>

const planFor = async ({ client, wallet }: Owner, chained = 1): Promise<Plan> => {
  const pay = {
    chainId: 31_337,
    contractId: contractId(bench.manifest, "JBMultiTerminal"),
    function: PAY,
    args: ["2", NATIVE_TOKEN, "1000", wallet.address, "0", "thanks", "0x"],
    value: "1000"
  }
  const calls = [pay, { ...pay, dependsOn: [0] }].slice(0, chained)
  return (await client.plans.create({ account: wallet.address, calls })).plan
}

const listed = async ({ client }: Owner, plan: Plan): Promise<ReadonlyArray<Sponsorship>> =>
  (await client.sponsorships.list({ planId: plan.id })).items

/** Every plan of the owner's that paid a provider. */
const payments = async ({ client }: Owner): Promise<ReadonlyArray<Plan>> =>
  (await client.plans.list()).items.filter(({ operation }) => operation === "prepaid_bundle_funding")

describe("a sponsored plan", { timeout: 180_000 }, () => {
  it("is paid for, executed and proved, round by round", async () => {
    const owner = await newOwner()
    const plan = await planFor(owner, 2)
    const asked: Array<string> = []
    const agree = (_: Plan, { nextAction }: Sponsorship) => asked.push(nextAction.kind) > 0
    const store = memoryStore()
    const { wallet, client } = owner
    const carried = await client.sponsorships.carryOut(plan, { wallet, rpc: chain.url, store, agree })
    assert.strictEqual(carried.plan.status, "transactions_confirmed")
    assert.strictEqual(carried.sponsorship?.state, "completed")
    assert.deepStrictEqual(asked, ["sign", "fund", "sign", "fund"])
    assert.deepStrictEqual(
      (await listed(owner, plan)).map(({ state }) => state),
      ["completed", "completed"]
    )
    assert.strictEqual((await payments(owner)).length, 2)
    assert.isUndefined(await store.recall(`${plan.id}.sponsorship`))
    const again = await client.sponsorships.carryOut(plan, { wallet, rpc: chain.url, store, agree })
    assert.strictEqual(again.plan.status, "transactions_confirmed")
    assert.strictEqual(asked.length, 4)
  })
})

/** Without the program that paid for it. */
const completed = async (owner: Owner, plan: Plan) => {
  const [sponsorship = assert.fail("nothing is sponsored")] = await listed(owner, plan)
  await until(
    () => owner.client.sponsorships.show(sponsorship.id, { refresh: true }),
    ({ state }) => state === "completed"
  )
}

interface Ended {
  readonly signal: NodeJS.Signals | null
  readonly printed: string
}

const bot = async (owner: Owner, plan: Plan, directory: string, killed = ""): Promise<Ended> => {
  const program = await keptProgram("test/client/support/SponsoringBot.ts")
  const env = {
    SERVICE: service.url,
    NODE: chain.url,
    KEY: owner.privateKey,
    DIRECTORY: directory,
    PLAN: plan.id,
    KILLED: killed,
    TO_THE_END: "yes"
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

describe("a process that is killed while it pays", { timeout: 180_000 }, () => {
  it.each([
    ["before the plan that pays is asked for", "paying", false],
    ["once the plan that pays is prepared", "funded", false],
    ["between signing the payment and sending it", "payment", false],
    ["between sending the payment and its answer", "paid", false],
    ["once it paid, and comes back when all is done,", "paid", true]
  ] as const)("%s pays once, and completes", async (_, point, isLeft) => {
    const owner = await newOwner()
    const plan = await planFor(owner)
    const directory = await mkdtemp(join(tmpdir(), "paying-"))
    try {
      const dead = await bot(owner, plan, directory, point)
      assert.strictEqual(dead.signal, "SIGKILL", dead.printed)
      if (isLeft) await completed(owner, plan)
      const second = await bot(owner, plan, directory)
      assert.strictEqual(second.printed.trim().split("\n").at(-1), "completed", second.printed)
      assert.strictEqual((await listed(owner, plan)).length, 1)
      const paid = await payments(owner)
      assert.deepStrictEqual(
        paid.map(({ status, steps }) => [status, steps[0]?.dispatch?.count]),
        [["transactions_confirmed", 1]]
      )
      assert.deepStrictEqual(await readdir(directory), [])
    } finally {
      await rm(directory, { recursive: true })
    }
  })
})

describe("a process that comes back between two rounds", { timeout: 180_000 }, () => {
  it("goes on with the second, and asks for the first no more", async () => {
    const owner = await newOwner()
    const plan = await planFor(owner, 2)
    const directory = await mkdtemp(join(tmpdir(), "paying-"))
    try {
      const dead = await bot(owner, plan, directory, "paid")
      assert.strictEqual(dead.signal, "SIGKILL", dead.printed)
      await completed(owner, plan)
      const second = await bot(owner, plan, directory)
      assert.strictEqual(second.printed.trim().split("\n").at(-1), "completed", second.printed)
      assert.strictEqual((await owner.client.plans.show(plan.id)).status, "transactions_confirmed")
      assert.deepStrictEqual(
        (await listed(owner, plan)).map(({ state, authorizations }) => [
          state,
          authorizations.map(({ stepIndex }) => stepIndex)
        ]),
        [
          ["completed", [1]],
          ["completed", [0]]
        ]
      )
      assert.strictEqual((await payments(owner)).length, 2)
      assert.deepStrictEqual(await readdir(directory), [])
    } finally {
      await rm(directory, { recursive: true })
    }
  })
})
