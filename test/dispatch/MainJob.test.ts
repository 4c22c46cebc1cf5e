import { createPublicClient, http } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { plannedTransaction } from "../support/PlannedTransaction.ts"
import { contractId, fundedOwner, NATIVE_TOKEN, startSandbox } from "../support/Sandbox.ts"
import { freshNonce, signedFetch } from "../support/SignedFetch.ts"

const owner = fundedOwner(3)

const sandbox = await startSandbox()
await signedFetch(sandbox.service, owner, "POST", "/api/v1/accounts/enroll", { body: {} })

afterAll(() => sandbox.stop())

const payment = () => ({
  operation: "contract_calls",
  input: {
    account: owner.key.address,
    calls: [
      {
        chainId: 31337,
        contractId: contractId(sandbox.manifest, "JBMultiTerminal"),
        function: "pay(uint256,address,uint256,address,uint256,string,bytes)",
        args: ["2", NATIVE_TOKEN, "1000", owner.key.address, "0", "thanks", "0x"],
        value: "1000"
      }
    ]
  }
})

const signCall = async (call: { to: `0x${string}`; data: `0x${string}`; value: string; chainId: number }) => {
  const client = createPublicClient({ transport: http(sandbox.chain.url) })
  const nonce = await client.getTransactionCount({ address: owner.key.address, blockTag: "pending" })
  return owner.key.signTransaction(plannedTransaction(call, nonce))
}

describe("the main job", () => {
  it("prepares, signs, relays and confirms a payment", async () => {
    const { service, chain } = sandbox
    const created = await signedFetch(service, owner, "POST", "/api/v1/plans", {
      body: payment(),
      idempotencyKey: freshNonce()
    })
    const plan = await created.json()
    assert.strictEqual(created.status, 201, JSON.stringify(plan))
    assert.strictEqual(plan.status, "prepared")
    const simulation = await signedFetch(service, owner, "GET", `/api/v1/plans/${plan.id}/steps/0/simulation`)
    const simulated = await simulation.json()
    assert.strictEqual(simulation.status, 200, JSON.stringify(simulated))
    assert.strictEqual(simulated.assetChanges.status, "known", JSON.stringify(simulated.assetChanges))
    assert.deepInclude(simulated.assetChanges.changes[0], {
      kind: "native",
      amount: "1000",
      from: owner.key.address
    })
    const raw = await signCall(plan.calls[0])
    const submission = await signedFetch(
      service,
      owner,
      "POST",
      `/api/v1/plans/${plan.id}/steps/0/submissions`,
      {
        body: { rawSignedTransaction: raw },
        idempotencyKey: freshNonce()
      }
    )
    const submitted = await submission.json()
    assert.strictEqual(submission.status, 202, JSON.stringify(submitted))
    assert.strictEqual(submitted.dispatch.status, "submitted")
    const client = createPublicClient({ transport: http(chain.url) })
    await client.request({ method: "evm_mine" as never })
    await client.request({ method: "evm_mine" as never })
    const refreshed = await signedFetch(service, owner, "GET", `/api/v1/plans/${plan.id}?refresh=true`)
    const confirmed = await refreshed.json()
    assert.strictEqual(confirmed.status, "transactions_confirmed", JSON.stringify(confirmed))
    assert.strictEqual(confirmed.steps[0].semantic.status, "verified")
  })
})
