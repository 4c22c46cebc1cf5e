/** A plan carried out by a node that is behind the service's. */
import { toHex } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, assert, it } from "vitest"
import { createClient } from "../../src/client/Client.ts"
import type { Eip1193Provider } from "../../src/client/Signer.ts"
import { startRelayBench } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { contractId, NATIVE_TOKEN } from "../support/Sandbox.ts"
import { accountOf } from "./support/Parties.ts"

const bench = await startRelayBench()
await rpc(bench.chain.url, "evm_setIntervalMining", [1])

afterAll(() => bench.stop())

/** Each count is that of the question before. */
const lateNode = (): Eip1193Provider => {
  let count: unknown
  return {
    request: async ({ method, params = [] }) => {
      const answer = await rpc(bench.chain.url, method, [...params])
      if (method !== "eth_getTransactionCount") return answer
      const told = count ?? answer
      count = answer
      return told
    }
  }
}

it("signs nothing for a nonce that an earlier step was executed with", { timeout: 120_000 }, async () => {
  const wallet = privateKeyToAccount(generatePrivateKey())
  await rpc(bench.chain.url, "anvil_setBalance", [wallet.address, toHex(10n ** 21n)])
  const account = accountOf(wallet.address)
  const client = createClient({ baseUrl: bench.service.url, account, signer: wallet })
  await client.accounts.enroll()
  const pay = {
    chainId: 31_337,
    contractId: contractId(bench.manifest, "JBMultiTerminal"),
    function: "pay(uint256,address,uint256,address,uint256,string,bytes)",
    args: ["2", NATIVE_TOKEN, "1000", wallet.address, "0", "thanks", "0x"],
    value: "1000"
  }
  const calls = [pay, { ...pay, dependsOn: [0] }]
  const { plan } = await client.plans.create({ account: wallet.address, calls })
  const nonces: Array<number> = []
  const signing = {
    address: wallet.address,
    signTransaction: (transaction: Parameters<typeof wallet.signTransaction>[0]) => {
      nonces.push(Number(transaction.nonce))
      return wallet.signTransaction(transaction)
    }
  }
  const carried = await client.plans.carryOut(plan, { wallet: signing, rpc: lateNode() })
  assert.strictEqual(carried.status, "transactions_confirmed")
  assert.deepStrictEqual(nonces, [0, 1])
})
