import { keccak256, verifyTypedData } from "viem"
import { assert, describe, it } from "vitest"
import { createClient } from "../../src/client/Client.ts"
import { approveStep } from "../../src/client/OwnerApproval.ts"
import { isUndecided } from "../../src/client/StepStanding.ts"
import { watchPlan } from "../../src/client/WatchPlan.ts"
import type { Plan } from "../../src/plans/Plan.ts"
import { walletPayload } from "../../src/values/TypedData.ts"
import { domainOf } from "../../src/values/TypedDataHash.ts"
import { heldSystem } from "./support/HeldSystem.ts"
import { accountOf, newKey } from "./support/Parties.ts"
import { planRecord, stepRecord } from "./support/PlanRecords.ts"
import { json, scriptedFetch } from "./support/ScriptedFetch.ts"

const key = newKey()
const audience = "http://service.test"

describe("listing plans", () => {
  it("follows cursors with the query unchanged until there is none", async () => {
    const page = (id: string, nextCursor: string | null) =>
      json(200, { items: [planRecord({ id })], nextCursor })
    const { fetch, sent } = scriptedFetch([page("a", "c+1/="), page("b", null)])
    const account = accountOf(key.address)
    const client = createClient({ baseUrl: audience, audience, account, signer: key, fetch })
    const ids: Array<string> = []
    for await (const { id } of client.plans.iterate({ limit: 1 })) ids.push(id)
    assert.deepStrictEqual(ids, ["a", "b"])
    assert.deepStrictEqual(
      sent.map(({ url }) => url.slice(audience.length)),
      ["/api/v1/plans?limit=1", "/api/v1/plans?limit=1&cursor=c%2B1%2F%3D"]
    )
  })
})

const OPERATION = {
  transport: "eip4337-user-operation",
  bindingId: "0b9f6f6e-3c0e-4f0c-9d44-6a4d5f1c2b3a",
  chainId: 1
} as const

describe("watching a plan", () => {
  const unfolding = (plans: ReadonlyArray<Plan>) => {
    let at = -1
    return async () => {
      at += 1
      return plans[at] ?? assert.fail("watched for too long")
    }
  }
  const pending = (state: "submitted" | "confirming") =>
    planRecord({ status: "pending", steps: [stepRecord({ state })] })
  const confirmed = planRecord({
    status: "transactions_confirmed",
    steps: [stepRecord({ state: "confirmed" })]
  })

  it("tells each change once, waits longer while nothing changes, and stops when confirmed", async () => {
    const system = heldSystem(0)
    const told: Array<string> = []
    const plans = [pending("submitted"), pending("submitted"), pending("submitted"), pending("confirming")]
    const last = await watchPlan(unfolding([...plans, confirmed]), system, {
      onProgress: ({ step, before }) => told.push(`${before?.state ?? "-"}>${step.state}`)
    })
    assert.strictEqual(last.status, "transactions_confirmed")
    assert.deepStrictEqual(told, ["->submitted", "submitted>confirming", "confirming>confirmed"])
    assert.deepStrictEqual(system.slept, [500, 750, 1125, 500])
  })

  const satisfied = stepRecord({ state: "confirmed", semantic: { status: "verified" } })
  const over = (plan: Partial<Plan>) => planRecord({ expiresAt: 1_000, ...plan })

  it("stops when what is left of an expired plan cannot go any more", async () => {
    const partial = over({ status: "partial", steps: [satisfied, stepRecord({ index: 1 })] })
    const system = heldSystem(0)
    const plan = await watchPlan(unfolding([partial, partial, partial]), system, {})
    assert.strictEqual(plan.status, "partial")
    assert.deepStrictEqual(system.slept, [500, 750])
  })

  it("counts expiry on the server's clock", async () => {
    const partial = over({ status: "partial", steps: [satisfied, stepRecord({ index: 1 })] })
    const ahead = { offsetMillis: 5_000 }
    const plan = await watchPlan(unfolding([partial]), heldSystem(0), {}, ahead)
    assert.strictEqual(plan.status, "partial")
  })

  it("goes on while a step of an expired plan is under way", async () => {
    for (const state of ["reserved", "submitted", "unknown", "confirming", "reorged"] as const) {
      const plan = over({ status: "partial", steps: [satisfied, stepRecord({ index: 1, state })] })
      const last = await watchPlan(unfolding([plan, plan, confirmed]), heldSystem(2_000), {})
      assert.strictEqual(last.status, "transactions_confirmed", state)
    }
  })

  it("does not wait for what left for others to execute and no block can execute any more", async () => {
    const lapsed = stepRecord({
      index: 1,
      state: "unknown",
      execution: OPERATION,
      externalExecution: { ...OPERATION, state: "lapsed" }
    })
    const plan = over({ status: "partial", steps: [satisfied, lapsed] })
    const system = heldSystem(2_000)
    assert.strictEqual((await watchPlan(unfolding([plan]), system, {})).status, "partial")
    assert.deepStrictEqual(system.slept, [])
    assert.isFalse(isUndecided(plan, lapsed))
    const pending = { ...lapsed, externalExecution: { ...OPERATION, state: "unknown" } } as const
    assert.isTrue(isUndecided(plan, pending))
  })

  it("does not wait for effects that stay unknown after finality", async () => {
    const receipt = (finality: "safe" | "finalized") => ({
      transactionHash: `0x${"11".repeat(32)}` as const,
      blockHash: `0x${"22".repeat(32)}` as const,
      blockNumber: "5",
      status: "success" as const,
      confirmations: 70,
      finality,
      canonical: true,
      observedAt: 0,
      logs: [] as const,
      logCount: 3_000,
      logsHash: `0x${"33".repeat(32)}` as const,
      logsStored: false as const
    })
    const unknown = (finality: "safe" | "finalized") =>
      over({
        status: "pending",
        steps: [
          stepRecord({ state: "confirmed", semantic: { status: "unknown" }, receipt: receipt(finality) })
        ]
      })
    const last = await watchPlan(unfolding([unknown("safe"), unknown("finalized")]), heldSystem(2_000), {})
    assert.strictEqual(last.steps[0]?.receipt?.finality, "finalized")
  })

  it("stops where the caller says, and when the caller leaves", async () => {
    const stopped = await watchPlan(unfolding([pending("submitted")]), heldSystem(0), {
      until: () => true
    })
    assert.strictEqual(stopped.status, "pending")
    const signal = AbortSignal.abort(new Error("left"))
    const failure = await watchPlan(unfolding([pending("submitted")]), heldSystem(0), { signal }).catch(
      String
    )
    assert.strictEqual(failure, "Error: left")
  })
})

describe("approving a step for a bot", () => {
  it("signs exactly this step, these bytes and this bot for two minutes", async () => {
    const accountId = accountOf(key.address)
    const rawSignedTransaction = "0x02f86b"
    const approval = await approveStep(key, {
      audience,
      accountId,
      grantId: "5f0c8a52-0b1c-4f0a-9f53-00000000000b",
      plan: planRecord(),
      stepIndex: 3,
      rawSignedTransaction,
      issuedAt: 1_800_000_000,
      system: heldSystem(0)
    })
    const { signature, ...fields } = approval
    assert.deepInclude(fields, {
      principalId: "bot:5f0c8a52-0b1c-4f0a-9f53-00000000000b",
      stepIndex: 3,
      transactionHash: keccak256(rawSignedTransaction),
      expiresAt: 1_800_000_120
    })
    const payload = walletPayload("ServiceTransactionApproval", domainOf(audience, 31_337), {
      audience,
      ...fields
    })
    const hex = `0x${signature.slice(2)}` as const
    assert.isTrue(await verifyTypedData({ ...payload, address: key.address, signature: hex }))
  })
})
