/** Expiry bounds the first admission of a step; the bytes of an admitted step stay its own to send while the wallet's nonce is open. */
import { afterAll, assert, describe, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import { revokeBot } from "../support/Bots.ts"
import { callOf, payment, planned, stepOf } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import { mine, newPayer, newRelayBot, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { endLease, reorg, signedPayment } from "../support/Relayed.ts"
import { rpc } from "../support/Rpc.ts"
import { hashOf, signCall } from "../support/SignedCalls.ts"
import type { Party } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { approvedStep, signApproval } from "../support/StepApproval.ts"
import { refreshed, submit, submitted } from "../support/Submissions.ts"

const bench = await startRelayBench()

afterAll(() => bench.stop())

const expire = (plan: Pick<Plan, "id">) =>
  sqlOn(bench.service.databaseUrl, "UPDATE plans SET created_at = 0, expires_at = 1 WHERE id = $1", [plan.id])

const dropSend = () =>
  bench.proxy.fault({ method: "eth_sendRawTransaction", phase: "before", act: { kind: "drop" } })

/** Admitted and taken by the node, which lost it; then lease and plan ran out. */
const stranded = async () => {
  const made = await signedPayment(bench)
  dropSend()
  await submitted(bench.service, made.owner, made.plan, made.body)
  await endLease(bench, made.plan.id)
  await expire(made.plan)
  return made
}

describe("an admitted step of an expired plan whose transaction was dropped", () => {
  it("takes its own bytes again, once for each claim, and confirms", async () => {
    const { owner, plan, raw, body } = await stranded()
    const { dispatch, plan: told } = await submitted(bench.service, owner, plan, body)
    assert.strictEqual(dispatch.status, "submitted")
    assert.strictEqual(dispatch.count, 2)
    assert.strictEqual(stepOf(told).state, "submitted")
    assert.strictEqual(timesSent(bench, raw), 2)
    await mine(bench)
    assert.strictEqual((await refreshed(bench.service, owner, plan)).status, "transactions_confirmed")
  })

  it("leaves once however many ask at the same time", async () => {
    const { owner, plan, raw, body } = await stranded()
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => submit(bench.service, owner, plan, body))
    )
    assert.deepStrictEqual(new Set(answers.map(({ status }) => status)), new Set([202]))
    assert.strictEqual(timesSent(bench, raw), 2)
  })

  it("takes its own bytes again also where the block that its plan rests on has left the chain", async () => {
    const owner = await newPayer(bench)
    await mine(bench, 3)
    const plan = await planned(bench, owner)
    const raw = await signCall(bench, owner, callOf(plan))
    const body = { rawSignedTransaction: raw }
    dropSend()
    await submitted(bench.service, owner, plan, body)
    await reorg(bench, 2)
    await mine(bench, 2)
    await endLease(bench, plan.id)
    await expire(plan)
    const { dispatch } = await submitted(bench.service, owner, plan, body)
    assert.strictEqual(dispatch.count, 2)
    await mine(bench)
    assert.strictEqual((await refreshed(bench.service, owner, plan)).status, "transactions_confirmed")
    assert.strictEqual(timesSent(bench, raw), 2)
  })

  it("takes no other bytes", async () => {
    const { owner, plan, raw } = await stranded()
    const dearer = await signCall(bench, owner, callOf(plan), { maxPriorityFeePerGas: 3_000_000_000n })
    const answer = await submit(bench.service, owner, plan, { rawSignedTransaction: dearer })
    await assertProblem(answer, "STEP_ALREADY_BOUND")
    assert.strictEqual(timesSent(bench, dearer) + timesSent(bench, raw), 1)
  })

  it("is looked at as if it were new: what would fail now is not sent", async () => {
    const { owner, plan, raw, body } = await stranded()
    await rpc(bench.chain.url, "anvil_setBalance", [owner.key.address, "0x1"])
    await assertProblem(await submit(bench.service, owner, plan, body), "INSUFFICIENT_BALANCE")
    assert.strictEqual(timesSent(bench, raw), 1)
  })

  it("takes nothing once the wallet spent the nonce elsewhere", async () => {
    const { owner, plan, raw, body } = await stranded()
    await rpc(bench.chain.url, "anvil_setNonce", [owner.key.address, "0x1"])
    await assertProblem(await submit(bench.service, owner, plan, body), "NONCE_NOT_READY")
    assert.strictEqual(timesSent(bench, raw), 1)
  })
})

describe("a bot's admitted step after its plan's expiry", () => {
  const strandedBots = async () => {
    const owner = await newPayer(bench)
    const bot = await newRelayBot(bench, owner)
    const plan = await planned(bench, owner, { by: bot })
    const raw = await signCall(bench, owner, callOf(plan))
    const approval = (over: Parameters<typeof approvedStep>[3] = {}) =>
      signApproval(owner.key, bench.service, approvedStep(bot, plan, raw, over))
    const ownerApproval = await approval()
    dropSend()
    await submitted(bench.service, bot, plan, { rawSignedTransaction: raw, ownerApproval })
    await endLease(bench, plan.id)
    await expire(plan)
    return { owner, bot, plan, raw, approval }
  }

  it("goes again under fresh consent alone", async () => {
    const { bot, plan, raw, approval } = await strandedBots()
    const old = await approval({ issuedAt: Math.floor(Date.now() / 1000) - 200 })
    await assertProblem(
      await submit(bench.service, bot, plan, { rawSignedTransaction: raw }),
      "OWNER_APPROVAL_REQUIRED"
    )
    await assertProblem(
      await submit(bench.service, bot, plan, { rawSignedTransaction: raw, ownerApproval: old }),
      "OWNER_APPROVAL_EXPIRED"
    )
    const body = { rawSignedTransaction: raw, ownerApproval: await approval() }
    const { dispatch } = await submitted(bench.service, bot, plan, body)
    assert.strictEqual(dispatch.count, 2)
    assert.strictEqual(timesSent(bench, raw), 2)
  })

  it("goes no more once the bot is revoked", async () => {
    const { owner, bot, plan, raw, approval } = await strandedBots()
    await revokeBot(bench.service, owner, bot)
    const body = { rawSignedTransaction: raw, ownerApproval: await approval() }
    await assertProblem(await submit(bench.service, bot, plan, body), "FORBIDDEN")
    assert.strictEqual(timesSent(bench, raw), 1)
  })
})

describe("who meets a nonce that a step holds", () => {
  const holding = ({ id }: Plan, raw: `0x${string}`) => ({
    planId: id,
    stepIndex: 0,
    transactionHash: hashOf(raw)
  })

  const refusal = async (owner: Party, plan: Plan, code: string, step = 0) => {
    const raw = await signCall(bench, owner, callOf(plan, step), { nonce: 0, gas: 900_000n })
    const answer = await submit(bench.service, owner, plan, { rawSignedTransaction: raw }, { step })
    const problem = await assertProblem(answer, code)
    assert.strictEqual(timesSent(bench, raw), 0)
    return problem
  }

  it("is told which step, by which bytes, and what frees it", async () => {
    const { owner, plan, raw } = await stranded()
    const other = await planned(bench, owner)
    const { context, detail } = await refusal(owner, other, "NONCE_RESERVED")
    assert.deepStrictEqual(context, holding(plan, raw))
    for (const part of [plan.id, "step 0", hashOf(raw), "those very bytes", "nonce on another"])
      assert.include(detail, part)
  })

  it("is told it of an expired plan's step that was never admitted", async () => {
    const owner = await newPayer(bench)
    const pay = payment(bench, owner.key.address)
    const plan = await planned(bench, owner, { calls: [pay, pay] })
    const raw = await signCall(bench, owner, callOf(plan))
    dropSend()
    await submitted(bench.service, owner, plan, { rawSignedTransaction: raw })
    await expire(plan)
    const { context, detail } = await refusal(owner, plan, "PLAN_EXPIRED", 1)
    assert.deepStrictEqual(context, holding(plan, raw))
    assert.include(detail, "those very bytes")
  })

  it("is told of no plan that it may not see", async () => {
    const { owner } = await stranded()
    const bot = await newRelayBot(bench, owner)
    const plan = await planned(bench, owner, { by: bot })
    const raw = await signCall(bench, owner, callOf(plan), { nonce: 0, gas: 900_000n })
    const ownerApproval = await signApproval(owner.key, bench.service, approvedStep(bot, plan, raw))
    const answer = await submit(bench.service, bot, plan, { rawSignedTransaction: raw, ownerApproval })
    const problem = await assertProblem(answer, "NONCE_RESERVED")
    assert.notProperty(problem, "context")
    assert.notMatch(problem.detail, /0x[0-9a-f]{64}|[0-9a-f-]{36}/)
    assert.include(problem.detail, "those very bytes")
  })

  it("is told of none where nothing holds the nonce", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    await expire(plan)
    const problem = await refusal(owner, plan, "PLAN_EXPIRED")
    assert.notProperty(problem, "context")
    assert.include(problem.detail, "Prepare a new plan")
  })
})
