import { toHex } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { CarryProgress } from "../../src/client/CarryOut.ts"
import { createClient } from "../../src/client/Client.ts"
import { type RelayBench, startRelayBench } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { contractId, NATIVE_TOKEN } from "../support/Sandbox.ts"
import { sqlOn } from "../support/Sql.ts"
import { until } from "../support/Until.ts"
import { accountOf } from "./support/Parties.ts"

let bench: RelayBench

/** Nothing is mined but where it is said. */
beforeAll(async () => {
  bench = await startRelayBench()
  await rpc(bench.chain.url, "evm_setAutomine", [false])
})

afterAll(() => bench.stop())

const newOwner = async () => {
  const wallet = privateKeyToAccount(generatePrivateKey())
  await rpc(bench.chain.url, "anvil_setBalance", [wallet.address, toHex(10n ** 21n)])
  const account = accountOf(wallet.address)
  const client = createClient({ baseUrl: bench.service.url, account, signer: wallet })
  await client.accounts.enroll()
  return { wallet, client }
}

type Owner = Awaited<ReturnType<typeof newOwner>>

const planned = async ({ wallet, client }: Owner) => {
  const pay = {
    chainId: 31_337,
    contractId: contractId(bench.manifest, "JBMultiTerminal"),
    function: "pay(uint256,address,uint256,address,uint256,string,bytes)",
    args: ["2", NATIVE_TOKEN, "1000", wallet.address, "0", "thanks", "0x"],
    value: "1000"
  }
  return (await client.plans.create({ account: wallet.address, calls: [pay] })).plan
}

const rejection = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => assert.fail("it resolved"),
    (failure: unknown) => failure
  )

const left = (hash: string): number => bench.proxy.sent().filter(({ raw }) => raw.hash === hash).length

const pending = (hash: string) => rpc(bench.chain.url, "eth_getTransactionByHash", [hash])

/** Out of its node's pool, once the claim to send it is over. */
const lose = async (planId: string, hash: string) => {
  await sqlOn(bench.service.databaseUrl, "UPDATE dispatch_leases SET expires_at = 1 WHERE plan = $1", [
    planId
  ])
  await rpc(bench.chain.url, "anvil_dropTransaction", [hash])
}

describe("a plan that is carried out", { timeout: 120_000 }, () => {
  it("ends with its signal while the wallet does not answer, and keeps no other plan of the wallet waiting", async () => {
    const owner = await newOwner()
    for (const plan of [await planned(owner), await planned(owner)]) {
      const ending = new AbortController()
      const wallet = {
        address: owner.wallet.address,
        signTransaction: () => {
          ending.abort(new Error("enough"))
          return new Promise<never>(() => {})
        }
      }
      const { signal } = ending
      const waiting = owner.client.plans.carryOut(plan, { wallet, rpc: bench.chain.url, signal })
      assert.strictEqual(Object(await rejection(waiting)).message, "enough")
    }
  })

  it("has the same bytes sent again that its node lost, and is followed on while they cannot go", async () => {
    const owner = await newOwner()
    const { wallet, client } = owner
    const plan = await planned(owner)
    const told: Array<string> = []
    const carrying = client.plans.carryOut(plan, {
      wallet,
      rpc: bench.chain.url,
      onProgress: ({ kind }: CarryProgress) => told.push(kind)
    })
    const shown = await until(
      () => client.plans.show(plan.id),
      ({ steps: [step] }) => step?.state === "submitted"
    )
    const hash = shown.steps[0]?.transaction?.hash ?? assert.fail("nothing left")
    bench.proxy.fault({ method: "eth_call", times: 1_000_000, phase: "before", act: { kind: "reset" } })
    await lose(plan.id, hash)
    await until(
      async () => told.filter(kind => kind === "again").length,
      times => times >= 2
    )
    assert.strictEqual(left(hash), 1)
    bench.proxy.clearFaults()
    await until(
      () => pending(hash),
      found => found !== null
    )
    await rpc(bench.chain.url, "evm_setIntervalMining", [1])
    assert.strictEqual((await carrying).status, "transactions_confirmed")
    assert.strictEqual(left(hash), 2)
    assert.lengthOf(
      told.filter(kind => kind === "turn"),
      1
    )
    assert.lengthOf(new Set(bench.proxy.sent().map(({ raw }) => raw.hash)), 1)
  })
})
