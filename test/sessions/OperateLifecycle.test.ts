/** Plans that enable and revoke a session, executed by operations of the wallet's owners, between which its bot acts. */
import { afterAll, afterEach, assert, describe, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import type { PublicSession } from "../../src/sessions/Session.ts"
import { assertProblem } from "../support/Problem.ts"
import { mine } from "../support/RelayBench.ts"
import { freshNonce, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { until } from "../support/Until.ts"
import {
  askOperation,
  type BoundTestWallet,
  boundWallet,
  envelopeOf,
  preparedOperation,
  sendOperation,
  startOperatingBench
} from "../useroperations/support/Operating.ts"
import { sendingOn } from "../useroperations/support/Sending.ts"
import {
  askSessionOperation,
  held,
  type LiveSession,
  paymentPlan,
  preparedSession,
  sendByKey,
  sessionBot,
  sessionOperationOf,
  shownSession,
  timesCarried,
  used
} from "./support/Operated.ts"

const bench = await startOperatingBench()
const { service, proxy } = bench
const { executed } = sendingOn(bench)
afterAll(() => bench.stop())
afterEach(() => proxy.clearFaults())

const TIMEOUT = { timeout: 120_000 }

const lifecyclePlan = async (
  kind: "activation" | "revocation",
  { owner, session }: Pick<LiveSession, "owner" | "session">
): Promise<Plan> => {
  const path = `/api/v1/smart-accounts/sessions/${session.id}/${kind}-plans`
  const body = { compiledHash: session.compiled.compiledHash }
  const answer = await signedFetch(service, owner, "POST", path, { body, idempotencyKey: freshNonce() })
  const told = await answer.json()
  assert.strictEqual(answer.status, 201, JSON.stringify(told))
  return told.plan
}

/** By an operation of the wallet's owners, through the real bundler. */
const carriedOut = async ({ owner, owners }: BoundTestWallet, plan: Plan) => {
  const operation = await preparedOperation(service, owner, plan)
  const answer = await sendOperation(service, owner, operation, await envelopeOf(operation, owners))
  assert.strictEqual(answer.status, 202, await answer.text())
  await executed(operation.operation)
  await mine(bench)
}

const activated = async (): Promise<LiveSession> => {
  const bound = await boundWallet(bench)
  const bot = await sessionBot(bench, bound.owner)
  const session: PublicSession = await preparedSession(bench, bound, bot)
  const live = { ...bound, bot, session }
  await carriedOut(bound, await lifecyclePlan("activation", live))
  await until(
    () => shownSession(bench, bot, session),
    ({ state }) => state === "active"
  )
  return live
}

describe("a session that its owners enable by an operation", TIMEOUT, () => {
  it("is used until they ask for the plan that revokes it, and never again", async () => {
    const live = await activated()
    await used(bench, live)
    const operation = await sessionOperationOf(bench, live)
    const plan = await paymentPlan(bench, live)
    const revocation = await lifecyclePlan("revocation", live)
    const revoking = { state: "revoking" }
    for (const answer of [
      await askSessionOperation(bench, live, plan),
      await sendByKey(bench, live, operation)
    ])
      assert.deepInclude((await assertProblem(answer, "SESSION_NOT_ACTIVE")).context, revoking)
    await carriedOut(live, revocation)
    await until(
      () => shownSession(bench, live.bot, live.session),
      ({ state }) => state === "revoked"
    )
    const { context } = await assertProblem(
      await askSessionOperation(bench, live, plan),
      "SESSION_NOT_ACTIVE"
    )
    assert.deepInclude(context, { state: "revoked" })
  })

  it("is not used by an operation that was judged before they asked for that plan", async () => {
    const live = await activated()
    const operation = await sessionOperationOf(bench, live)
    const { reached, letGo } = held(proxy, "eth_simulateV1", "after")
    const sending = sendByKey(bench, live, operation)
    await reached
    await lifecyclePlan("revocation", live)
    letGo()
    const { context } = await assertProblem(await sending, "SESSION_NOT_ACTIVE")
    assert.deepStrictEqual(context, { state: "revoking" })
    assert.strictEqual(timesCarried(bench, live.wallet.address), 1)
  })
})

describe("a plan that another one replaced", TIMEOUT, () => {
  it("is neither prepared for nor sent", async () => {
    const bound = await boundWallet(bench)
    const { owner, owners } = bound
    const session = await preparedSession(bench, bound, await sessionBot(bench, owner))
    const plan = await lifecyclePlan("activation", { owner, session })
    const operation = await preparedOperation(service, owner, plan)
    await sqlOn(service.databaseUrl, "UPDATE session_plans SET superseded_at = 1 WHERE plan = $1", [plan.id])
    const signature = await envelopeOf(operation, owners)
    await assertProblem(
      await sendOperation(service, owner, operation, signature),
      "SESSION_PLAN_NOT_ADMITTED"
    )
    await assertProblem(
      await askOperation(service, owner, { planId: plan.id, stepIndexes: [0] }),
      "SESSION_PLAN_NOT_ADMITTED"
    )
  })
})
