import { afterAll, assert, describe, it } from "vitest"
import { callOf, contractCalls, payment, planned, requestPlan, stepOf } from "../support/PlannedCalls.ts"
import { problemIn } from "../support/Problem.ts"
import { newPayer, newRelayBot, timesSent } from "../support/RelayBench.ts"
import { holdAnswer, whileChainStands } from "../support/Relayed.ts"
import { startReplicas, times } from "../support/Replicas.ts"
import { signCall } from "../support/SignedCalls.ts"
import { freshNonce, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { approvedStep, signApproval } from "../support/StepApproval.ts"
import { shown, submit } from "../support/Submissions.ts"

const { bench, second, replica, stop } = await startReplicas()

afterAll(stop)

const outcome = async (answer: Response): Promise<string> =>
  answer.ok ? String(answer.status) : (await problemIn(answer)).code

const tally = (values: ReadonlyArray<string>) => {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}

describe("submissions at once over two replicas", () => {
  it("send the same bytes of one step once, under different keys", () =>
    whileChainStands(bench, async () => {
      const owner = await newPayer(bench)
      const plan = await planned(bench, owner)
      const raw = await signCall(bench, owner, callOf(plan))
      const answers = await times(20, index =>
        submit(replica(index), owner, plan, { rawSignedTransaction: raw })
      )
      assert.deepStrictEqual(tally(await Promise.all(answers.map(outcome))), { 202: 20 })
      assert.strictEqual(timesSent(bench, raw), 1)
      const [lease] = await sqlOn(
        bench.service.databaseUrl,
        "SELECT count FROM dispatch_leases WHERE plan = $1",
        [plan.id]
      )
      assert.deepStrictEqual(lease, { count: 1 })
    }))

  it("send the same bytes of one step once, under one key", () =>
    whileChainStands(bench, async () => {
      const owner = await newPayer(bench)
      const plan = await planned(bench, owner)
      const raw = await signCall(bench, owner, callOf(plan))
      const idempotencyKey = freshNonce()
      const answers = await times(20, index =>
        submit(replica(index), owner, plan, { rawSignedTransaction: raw }, { idempotencyKey })
      )
      assert.deepStrictEqual(tally(await Promise.all(answers.map(outcome))), { 202: 20 })
      assert.strictEqual(timesSent(bench, raw), 1)
    }))

  it("bind a step to one of many transactions", () =>
    whileChainStands(bench, async () => {
      const owner = await newPayer(bench)
      const plan = await planned(bench, owner)
      const raws = await times(8, index =>
        signCall(bench, owner, callOf(plan), {
          nonce: 0,
          maxPriorityFeePerGas: BigInt(1_000_000_000 + index)
        })
      )
      const answers = await Promise.all(
        raws.map((raw, index) => submit(replica(index), owner, plan, { rawSignedTransaction: raw }))
      )
      const seen = tally(await Promise.all(answers.map(outcome)))
      assert.strictEqual(seen[202], 1, JSON.stringify(seen))
      const { 202: _won, STEP_ALREADY_BOUND: bound = 0, NONCE_NOT_READY: late = 0, ...others } = seen
      assert.strictEqual(bound + late, 7)
      assert.deepStrictEqual(others, {})
      assert.strictEqual(
        raws.reduce((sum, raw) => sum + timesSent(bench, raw), 0),
        1
      )
    }))

  it("give a nonce to one of many steps", () =>
    whileChainStands(bench, async () => {
      const owner = await newPayer(bench)
      const plans = await times(6, index =>
        planned(bench, owner, { calls: [payment(bench, owner.key.address, { value: String(index + 1) })] })
      )
      const answers = await Promise.all(
        plans.map(async (plan, index) => {
          const raw = await signCall(bench, owner, callOf(plan), { nonce: 0 })
          return submit(replica(index), owner, plan, { rawSignedTransaction: raw })
        })
      )
      const {
        202: won,
        NONCE_RESERVED: reserved = 0,
        NONCE_NOT_READY: late = 0,
        ...others
      } = tally(await Promise.all(answers.map(outcome)))
      assert.strictEqual(won, 1)
      assert.strictEqual(reserved + late, 5)
      assert.deepStrictEqual(others, {})
      const rows = await sqlOn(
        bench.service.databaseUrl,
        "SELECT plan FROM reserved_nonces WHERE scope LIKE '%:' || $1",
        [owner.key.address.toLowerCase()]
      )
      assert.strictEqual(rows.length, 1)
    }))
})

describe("a nonce that is given", () => {
  it("stays with its step even while no node has heard of it", async () => {
    const owner = await newPayer(bench)
    const plans = await times(2, () => planned(bench, owner))
    const [first, other] = plans
    if (first === undefined || other === undefined) return assert.fail("no plans")
    bench.proxy.fault({ method: "eth_sendRawTransaction", phase: "before", act: { kind: "drop" } })
    const raw = await signCall(bench, owner, callOf(first))
    assert.strictEqual((await submit(bench.service, owner, first, { rawSignedTransaction: raw })).status, 202)
    const rival = await signCall(bench, owner, callOf(other), { nonce: 0, gas: 900_000n })
    const refused = await submit(second, owner, other, { rawSignedTransaction: rival })
    assert.strictEqual((await problemIn(refused)).code, "NONCE_RESERVED")
    assert.strictEqual(stepOf(await shown(second, owner, other)).state, "ready")
  })
})

describe("creations at once over two replicas", () => {
  it("make one plan for one key", async () => {
    const owner = await newPayer(bench)
    const idempotencyKey = freshNonce()
    const body = contractCalls(owner, [payment(bench, owner.key.address)])
    const answers = await times(20, index => requestPlan(replica(index), owner, body, { idempotencyKey }))
    const plans = await Promise.all(answers.map(async answer => (await answer.json()).id))
    assert.isTrue(answers.every(({ status }) => status === 201))
    assert.strictEqual(new Set(plans).size, 1)
    assert.strictEqual(answers.filter(({ headers }) => headers.has("idempotent-replayed")).length, 19)
  })
})

describe("a revocation", () => {
  const prepared = async () => {
    const owner = await newPayer(bench)
    const bot = await newRelayBot(bench, owner)
    const plan = await planned(bench, owner, { by: bot })
    const raw = await signCall(bench, owner, callOf(plan))
    const ownerApproval = await signApproval(owner.key, bench.service, approvedStep(bot, plan, raw))
    const dispatch = () => submit(bench.service, bot, plan, { rawSignedTransaction: raw, ownerApproval })
    const revoke = () => signedFetch(second, owner, "DELETE", `/api/v1/accounts/me/bots/${bot.grantId}`)
    return { owner, plan, raw, dispatch, revoke }
  }

  it("lets an admitted dispatch finish", async () => {
    const { owner, plan, raw, dispatch, revoke } = await prepared()
    bench.proxy.fault({
      method: "eth_sendRawTransaction",
      phase: "before",
      act: { kind: "delay", millis: 300 }
    })
    const answer = dispatch()
    const claimed = async () =>
      (await sqlOn(bench.service.databaseUrl, "SELECT 1 FROM dispatch_leases WHERE plan = $1", [plan.id]))
        .length
    while ((await claimed()) === 0);
    assert.strictEqual((await revoke()).status, 200)
    assert.strictEqual((await answer).status, 202)
    assert.strictEqual(timesSent(bench, raw), 1)
    assert.strictEqual(stepOf(await shown(second, owner, plan)).dispatch?.status, "submitted")
  })

  it("blocks a claim that had passed its preflight", async () => {
    const { owner, plan, raw, dispatch, revoke } = await prepared()
    const { reached, letGo } = holdAnswer(bench, "eth_estimateGas")
    const answer = dispatch()
    await reached
    assert.strictEqual((await revoke()).status, 200)
    letGo()
    assert.strictEqual((await problemIn(await answer)).code, "FORBIDDEN")
    assert.strictEqual(timesSent(bench, raw), 0)
    const step = stepOf(await shown(second, owner, plan))
    assert.strictEqual(step.state, "ready")
    assert.isUndefined(step.transaction)
  })

  it("either comes before the claim or after it", async () => {
    for (let round = 0; round < 6; round++) {
      const { owner, plan, raw, dispatch, revoke } = await prepared()
      const [answer] = await Promise.all([dispatch(), revoke()])
      const seen = await outcome(answer)
      const step = stepOf(await shown(second, owner, plan))
      if (seen === "202") assert.strictEqual(timesSent(bench, raw), 1)
      else {
        assert.strictEqual(seen, "FORBIDDEN")
        assert.strictEqual(timesSent(bench, raw), 0)
        assert.isUndefined(step.transaction)
      }
    }
  })
})
