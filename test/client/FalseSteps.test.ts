/** What was signed or sent for a step is kept until its whole plan is done, whatever a service or a wallet tells meanwhile. */
import { assert, describe, it } from "vitest"
import { createClient } from "../../src/client/Client.ts"
import { textDigest } from "../../src/client/Commitment.ts"
import { StepHeld } from "../../src/client/Errors.ts"
import { memoryStore } from "../../src/client/Store.ts"
import { eip1193Wallet, type TransactionWallet } from "../../src/client/TransactionWallet.ts"
import { committedText } from "../../src/plans/CommittedText.ts"
import type { Plan, Step } from "../../src/plans/Plan.ts"
import { heldSystem } from "./support/HeldSystem.ts"
import { accountOf, newKey } from "./support/Parties.ts"
import { planRecord, stepRecord } from "./support/PlanRecords.ts"
import { json, problem } from "./support/ScriptedFetch.ts"

const AUDIENCE = "http://service.test"
const key = newKey()
const account = accountOf(key.address)

const record = planRecord({ account: key.address })
const [call = assert.fail("no call")] = record.calls
const sealed = async (calls: Plan["calls"], id = record.id): Promise<Plan> => {
  const plan = { ...record, id, calls, steps: calls.map((_, index) => stepRecord({ index })) }
  const own = { accountId: account, principalId: `owner:${account}` }
  return { ...plan, commitment: await textDigest(committedText(plan, own)) }
}
const single = await sealed([call])
const chained = await sealed([call, { ...call, dependsOn: [0] }])

const done = (index: number): Step =>
  stepRecord({ index, state: "confirmed", semantic: { status: "verified" } })

interface Told {
  readonly plan: Plan
  /** The steps each time that the plan is shown, the last for ever. */
  readonly shown: ReadonlyArray<ReadonlyArray<Step>>
  readonly audience?: string
}

const cutOff = (): Response => {
  throw new TypeError("cut off")
}

/** A service of one plan. */
const serviceOf = (
  { plan, shown, audience = AUDIENCE }: Told,
  submitted = () => json(202, { plan, dispatch: { status: "submitted" } })
) => {
  const raws: Array<string> = []
  let looks = 0
  const fetch = async (url: string, { body }: RequestInit): Promise<Response> => {
    const { pathname } = new URL(url)
    if (pathname.endsWith("/simulation")) return json(200, { estimatedGas: "21000" })
    if (!pathname.includes(plan.id)) return problem(404, "PLAN_NOT_FOUND")
    if (!pathname.endsWith("/submissions"))
      return json(200, { ...plan, steps: shown[looks++] ?? shown.at(-1) })
    if (body instanceof Uint8Array) raws.push(JSON.parse(new TextDecoder().decode(body)).rawSignedTransaction)
    return submitted()
  }
  const system = heldSystem(plan.createdAt)
  const client = createClient({
    ...{ baseUrl: audience, audience, account, signer: key, system, fetch },
    retries: 0
  })
  return { client, raws, system }
}

/** Whose next nonce counts what was asked for before, as where a false service sent it. */
const nodeOf = (counted: () => number) => ({
  request: async ({ method }: { method: string }) => {
    if (method === "eth_chainId") return "0x7a69"
    if (method === "eth_getBlockByNumber") return { baseFeePerGas: "0x1" }
    return method === "eth_getTransactionCount" ? `0x${counted().toString(16)}` : "0x1"
  }
})

const walletSigning = () => {
  const signed: Array<number> = []
  const wallet: TransactionWallet = {
    address: key.address,
    signTransaction: transaction => {
      signed.push(transaction.nonce)
      return key.signTransaction(transaction)
    }
  }
  return { wallet, signed, rpc: nodeOf(() => signed.length) }
}

const rejection = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => assert.fail("it resolved"),
    (failure: unknown) => failure
  )

describe("a step", () => {
  it("is signed once where it is shown as confirmed, and then as it was before", async () => {
    const ready = single.steps
    const { client, raws } = serviceOf({ plan: single, shown: [ready, [done(0)], ready, [done(0)]] })
    const { wallet, signed, rpc } = walletSigning()
    const store = memoryStore()
    await client.plans.carryOut(single, { wallet, rpc, store })
    assert.deepStrictEqual(signed, [0])
    assert.strictEqual(new Set(raws).size, 1)
    assert.isUndefined(await store.recall(`${single.id}.0`))
  })

  it("is signed once where it is shown as confirmed until the next one is", async () => {
    const { client } = serviceOf({
      plan: chained,
      shown: [chained.steps, [done(0), stepRecord({ index: 1 })], chained.steps, [done(0), done(1)]]
    })
    const { wallet, signed, rpc } = walletSigning()
    const store = memoryStore()
    await client.plans.carryOut(chained, { wallet, rpc, store })
    assert.deepStrictEqual(signed, [0])
    assert.isUndefined(await store.recall(`${single.id}.0`))
  })

  it.each([4900, 4901])(
    "is not asked of a wallet again that answered %s, which it may after it sent",
    async code => {
      const { client } = serviceOf({ plan: single, shown: [single.steps] })
      let asked = 0
      const node = nodeOf(() => 0)
      const provider = {
        request: async (question: { method: string }) => {
          if (question.method !== "eth_sendTransaction") return node.request(question)
          asked += 1
          throw Object.assign(new Error("The wallet is disconnected."), { code })
        }
      }
      const options = { wallet: eip1193Wallet(provider, key.address), rpc: node, store: memoryStore() }
      await rejection(client.plans.carryOut(single, options))
      const held = await rejection(client.plans.carryOut(single, options))
      assert.instanceOf(held, StepHeld)
      assert.deepStrictEqual([held.reason, asked], ["asked", 1])
    }
  )

  it("keeps its bytes while the service calls the plan unexpired, whatever the client's clock says", async () => {
    const { client, raws, system } = serviceOf({ plan: single, shown: [single.steps] }, cutOff)
    const { wallet, signed, rpc } = walletSigning()
    const store = memoryStore()
    await rejection(client.plans.carryOut(single, { wallet, rpc, store }))
    await system.sleep(single.expiresAt - single.createdAt)
    await rejection(client.plans.carryOut(single, { wallet, rpc, store }))
    assert.deepStrictEqual([signed, new Set(raws).size], [[0], 1])
  })

  it("keeps its bytes and its nonce where the same store is another service's too", async () => {
    const first = serviceOf({ plan: single, shown: [single.steps] }, cutOff)
    const plan = await sealed([call], "5f0c8a52-0b1c-4f0a-9f53-000000000002")
    const other = serviceOf({ plan, shown: [plan.steps, [done(0)]], audience: "http://other.test" })
    const { wallet, signed } = walletSigning()
    const options = { wallet, rpc: nodeOf(() => 0), store: memoryStore() }
    await rejection(first.client.plans.carryOut(single, options))
    const held = await rejection(other.client.plans.carryOut(plan, options))
    assert.instanceOf(held, StepHeld)
    assert.deepStrictEqual([held.reason, held.planId, signed], ["nonce", single.id, [0]])
    await rejection(first.client.plans.carryOut(single, options))
    assert.strictEqual(new Set(first.raws).size, 1)
  })
})
