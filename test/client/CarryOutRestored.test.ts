/** What was signed for a plan is sent once where the service was restored from a backup since. */
import { toHex } from "viem"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createClient } from "../../src/client/Client.ts"
import { StepHeld } from "../../src/client/Errors.ts"
import { memoryStore } from "../../src/client/Store.ts"
import { restoredBeforeClaims } from "../support/LostClaims.ts"
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

/** Whose submissions are cut off before or after they reach the service. */
const clientOf = (wallet: ReturnType<typeof newKey>, cut?: "before" | "after") =>
  createClient({
    baseUrl: bench.service.url,
    account: accountOf(wallet.address),
    signer: wallet,
    retries: cut === undefined ? 3 : 0,
    fetch: async (url, init) => {
      const isCut = url.endsWith("/submissions")
      if (isCut && cut === "before") throw new TypeError("cut off")
      const answer = await fetch(url, init)
      if (isCut && cut === "after") throw new TypeError("cut off")
      return answer
    }
  })

const prepared = async () => {
  const wallet = newKey()
  await rpc(bench.chain.url, "anvil_setBalance", [wallet.address, toHex(10n ** 21n)])
  const client = clientOf(wallet)
  await client.accounts.enroll()
  const call = {
    chainId: 31_337,
    contractId: contractId(bench.manifest, "JBMultiTerminal"),
    function: "pay(uint256,address,uint256,address,uint256,string,bytes)",
    args: ["2", NATIVE_TOKEN, "1000", wallet.address, "0", "thanks", "0x"],
    value: "1000"
  }
  const plan = async () => (await client.plans.create({ account: wallet.address, calls: [call] })).plan
  return { wallet, client, plan, options: { wallet, rpc: bench.chain.url, store: memoryStore() } }
}

const rejection = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => assert.fail("it resolved"),
    (failure: unknown) => failure
  )

const sentBy = async (address: string) =>
  Number(await rpc(bench.chain.url, "eth_getTransactionCount", [address, "pending"]))

describe("a plan whose claims a restored service lost", { timeout: 60_000 }, () => {
  it("is taken up by the bytes that were kept, and leaves no second time", async () => {
    const { wallet, client, plan, options } = await prepared()
    const one = await plan()
    await rejection(clientOf(wallet, "after").plans.carryOut(one, options))
    await restoredBeforeClaims(bench.service.databaseUrl, one.id)
    const shown = await client.plans.show(one.id)
    assert.strictEqual(shown.status, "expired")
    assert.isDefined(shown.restoredAt)
    const carried = await client.plans.carryOut(one, options)
    assert.strictEqual(carried.status, "transactions_confirmed")
    assert.strictEqual(carried.steps[0]?.dispatch?.status, "already-observed")
    assert.notProperty(carried, "restoredAt")
    assert.strictEqual(await sentBy(wallet.address), 1)
    assert.isUndefined(await options.store.recall(`${one.id}.0`))
  })

  it("is held where no chain has the bytes, which stay kept, whatever else the wallet signs", async () => {
    const { wallet, client, plan, options } = await prepared()
    const one = await plan()
    await rejection(clientOf(wallet, "before").plans.carryOut(one, options))
    const kept = await options.store.recall(`${one.id}.0`)
    await restoredBeforeClaims(bench.service.databaseUrl, one.id)
    for (let again = 0; again < 2; again++) {
      const held = await rejection(client.plans.carryOut(one, options))
      assert.instanceOf(held, StepHeld)
      assert.deepInclude(held, { reason: "restored", planId: one.id, step: 0 })
    }
    assert.strictEqual(await sentBy(wallet.address), 0)
    const other = await client.plans.carryOut(await plan(), options)
    assert.strictEqual(other.status, "transactions_confirmed")
    assert.strictEqual(await options.store.recall(`${one.id}.0`), kept)
  })

  it("is held where nothing of it is kept, since it may have left all the same", async () => {
    const { wallet, client, plan, options } = await prepared()
    const one = await plan()
    await rejection(clientOf(wallet, "before").plans.carryOut(one, options))
    await restoredBeforeClaims(bench.service.databaseUrl, one.id)
    const held = await rejection(client.plans.carryOut(one, { ...options, store: memoryStore() }))
    assert.instanceOf(held, StepHeld)
    assert.deepInclude(held, { reason: "restored", planId: one.id, step: 0 })
  })
})
