/** What is not prepared, and what a request is told of why. */
import { afterAll, assert, describe, it } from "vitest"
import { contractCalls, hopelessPayment, payment, planned, requestPlan } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import { newPayer, newRelayBot } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { contractId } from "../support/Sandbox.ts"
import { signCall } from "../support/SignedCalls.ts"
import type { Party } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { submitted } from "../support/Submissions.ts"
import { askPublication, signAll } from "./support/Signing.ts"
import {
  askSponsorship,
  authorizationOf,
  sponsoring,
  sponsorshipFor,
  startSponsoringBench
} from "./support/Sponsored.ts"

const bench = await startSponsoringBench()
const { service, chain, manifest } = bench

afterAll(() => bench.stop())

const sql = (text: string, values: ReadonlyArray<unknown> = []) => sqlOn(service.databaseUrl, text, values)

describe("nothing is prepared", () => {
  const refusedFor = async (owner: Party, planId: string, code: string, over = {}) =>
    assertProblem(await askSponsorship(service, owner, { planId, ...over }), code)

  it("of another's plan, nor of a bot's by the owner", async () => {
    const owner = await newPayer(bench)
    const bot = await newRelayBot(bench, owner)
    const own = await planned(bench, owner)
    await refusedFor(await newPayer(bench), own.id, "PLAN_NOT_FOUND")
    await refusedFor(bot, own.id, "PLAN_NOT_FOUND")
    await refusedFor(owner, (await planned(bench, owner, { by: bot })).id, "PLAN_NOT_FOUND")
  })

  it("of an expired plan", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    await sql("UPDATE plans SET created_at = 0, expires_at = 1 WHERE id = $1", [plan.id])
    await refusedFor(owner, plan.id, "PLAN_EXPIRED")
  })

  it("of a step that left, or waits for another", async () => {
    const owner = await newPayer(bench)
    const pay = payment(bench, owner.key.address)
    const plan = await planned(bench, owner, { calls: [pay, { ...pay, dependsOn: [0] }] })
    await refusedFor(owner, plan.id, "DEPENDENCIES_UNCONFIRMED", { stepIndexes: [1] })
    const [first] = plan.calls
    const rawSignedTransaction = await signCall(bench, owner, first ?? assert.fail("no call"))
    await submitted(service, owner, plan, { rawSignedTransaction })
    await refusedFor(owner, plan.id, "TRANSPORT_CONFLICT", { stepIndexes: [0] })
    await refusedFor(owner, plan.id, "TRANSPORT_CONFLICT")
  })

  it("of a call that would fail, alone or beside another", async () => {
    const owner = await newPayer(bench)
    const hopeless = hopelessPayment(bench, owner.key.address)
    const alone = await planned(bench, owner, { calls: [hopeless] })
    await refusedFor(owner, alone.id, "SIMULATION_REVERTED")
    const calls = [payment(bench, owner.key.address), hopeless]
    const both = await planned(bench, owner, { calls })
    await refusedFor(owner, both.id, "SIMULATION_REVERTED")
  })

  it("to a contract that does not trust the forwarder", async () => {
    const owner = await newPayer(bench)
    const untrusting = {
      chainId: 31337,
      contractId: contractId(manifest, "JBDirectory"),
      function: "transferOwnership(address)",
      args: [owner.key.address]
    }
    const answer = await requestPlan(service, owner, contractCalls(owner, [untrusting]))
    const plan = await answer.json()
    assert.strictEqual(answer.status, 201, JSON.stringify(plan))
    const problem = await refusedFor(owner, plan.id, "FORWARDER_TARGET_UNTRUSTED")
    assert.deepStrictEqual(problem.context, { stepIndex: 0, target: plan.calls[0].to })
  })

  it("for a wallet that has code", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    await rpc(chain.url, "anvil_setCode", [owner.key.address, "0x00"])
    await refusedFor(owner, plan.id, "FORWARDER_ACCOUNT_UNSUPPORTED")
  })

  it("with more gas than a request may carry", async () => {
    const strict = await startSponsoringBench({ maximumGas: 50_000n })
    try {
      const owner = await newPayer(strict)
      const plan = await planned(strict, owner)
      const answer = await askSponsorship(strict.service, owner, { planId: plan.id })
      await assertProblem(answer, "FORWARD_GAS_BOUND")
    } finally {
      await strict.stop()
    }
  })

  it("to send as much as one payment to the provider may be, and nothing such is published", async () => {
    const strict = await bench.replica({ sponsorship: sponsoring({ maximumFunding: 2_000n }) })
    try {
      const owner = await newPayer(bench)
      const pay = payment(bench, owner.key.address)
      const plan = await planned(bench, owner, { calls: [pay, pay] })
      const refused = await askSponsorship(strict, owner, { planId: plan.id })
      const problem = await assertProblem(refused, "FUNDING_BOUND")
      assert.deepStrictEqual(problem.context, { value: "2000", maximum: "2000" })
      const one = await askSponsorship(strict, owner, { planId: plan.id, stepIndexes: [0] })
      assert.strictEqual(one.status, 201, await one.text())
      const both = await sponsorshipFor(service, owner, plan)
      const signatures = await signAll(owner.key, both)
      await assertProblem(await askPublication(strict, owner, both, { signatures }), "FUNDING_BOUND")
    } finally {
      await strict.stop()
    }
  })

  it("over a node that cannot run calls together, but for one", async () => {
    const owner = await newPayer(bench)
    const pay = payment(bench, owner.key.address)
    const plan = await planned(bench, owner, { calls: [pay, pay] })
    const act = { kind: "error", code: -32601, message: "the method does not exist" } as const
    bench.proxy.fault({ method: "eth_simulateV1", phase: "after", act })
    await refusedFor(owner, plan.id, "SPONSORSHIP_CHAIN_UNAVAILABLE")
    const one = await sponsorshipFor(service, owner, plan, { stepIndexes: [1] })
    assert.strictEqual(one.authorizations.length, 1)
  })

  it("by a forwarder of other code, or that says another domain", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    const { forwarder } = authorizationOf(await sponsorshipFor(service, owner, plan))
    const code = await rpc(chain.url, "eth_getCode", [forwarder, "latest"])
    await rpc(chain.url, "anvil_setCode", [forwarder, `${code}00`])
    const changed = await refusedFor(owner, plan.id, "FORWARDER_UNVERIFIED")
    assert.deepInclude(changed.context, { check: "code" })
    await rpc(chain.url, "anvil_setCode", [forwarder, "0x"])
    assert.deepInclude((await refusedFor(owner, plan.id, "FORWARDER_UNVERIFIED")).context, { check: "code" })
    await rpc(chain.url, "anvil_setCode", [forwarder, code])
  })

  it.each([
    [{ planId: "no plan" }],
    [{ stepIndexes: [] }],
    [{ stepIndexes: [0, 0] }],
    [{ stepIndexes: [32] }],
    [{ stepIndexes: ["0"] }],
    [{ stepIndexes: [0], more: 1 }],
    [{ stepIndexes: Array.from({ length: 33 }, (_, step) => step) }]
  ])("where the body is %j", async body => {
    const owner = await newPayer(bench)
    const planId = "00000000-0000-4000-8000-000000000000"
    await assertProblem(await askSponsorship(service, owner, { planId, ...body }), "INVALID_INPUT")
  })
})
