/** Operations of sessions against each other, against a revocation of their session and of their grant, each held where it hurts. */
import { afterAll, afterEach, assert, describe, it } from "vitest"
import { revokeBot } from "../support/Bots.ts"
import { assertProblem } from "../support/Problem.ts"
import { mine } from "../support/RelayBench.ts"
import { freshNonce } from "../support/SignedFetch.ts"
import { until } from "../support/Until.ts"
import { startOperatingBench } from "../useroperations/support/Operating.ts"
import { enableData, stateAt } from "./support/Guarded.ts"
import {
  askSessionOperation,
  executedByBundler,
  held,
  type LiveSession,
  liveSession,
  ownersTell,
  paymentPlan,
  preparedSession,
  revokedByOwners,
  sendByKey,
  sentByKey,
  sessionOperationOf,
  shownOperationOf,
  shownSession,
  timesCarried,
  used
} from "./support/Operated.ts"

const bench = await startOperatingBench()
const { service, proxy, bundling, sandbox } = bench
afterAll(() => bench.stop())
afterEach(() => {
  proxy.clearFaults()
  bundling.clearFaults()
})

const TIMEOUT = { timeout: 120_000 }
const FINAL = 300

const callsOf = async ({ session, wallet }: LiveSession) => {
  const { permissionId } = session.compiled
  return (await stateAt(sandbox, { permissionId, account: wallet.address })).calls
}

describe("two operations of one session", TIMEOUT, () => {
  it("are prepared side by side, and one of them is sent", async () => {
    const live = await liveSession(bench)
    const both = await Promise.all([sessionOperationOf(bench, live), sessionOperationOf(bench, live)])
    const answers = await Promise.all(both.map(each => sendByKey(bench, live, each)))
    assert.sameMembers(
      answers.map(({ status }) => status),
      [202, 409]
    )
    assert.strictEqual(timesCarried(bench, live.wallet.address), 1)
    const [first, second] = both
    await executedByBundler(bench, first)
    const late = answers[0]?.status === 202 ? second : first
    await assertProblem(await sendByKey(bench, live, late), "USER_OPERATION_NONCE_CHANGED")
    const calls = await callsOf(live)
    assert.strictEqual(calls, 1)
  })

  it("do not overtake each other while the first one is on its way", async () => {
    const live = await liveSession(bench)
    const [first, second] = [await sessionOperationOf(bench, live), await sessionOperationOf(bench, live)]
    const { reached, letGo } = held(bundling, "eth_sendUserOperation", "before")
    const sending = sentByKey(bench, live, first)
    await reached
    await assertProblem(await sendByKey(bench, live, second), "USER_OPERATION_NONCE_RESERVED")
    letGo()
    const { state, nextAction } = await sending
    assert.deepStrictEqual([state, nextAction.kind], ["pending", "wait"])
    assert.match(nextAction.reason ?? "", /until its session is over, or is revoked in a final block/)
    await executedByBundler(bench, first)
  })

  it("twenty equal submissions send one", async () => {
    const live = await liveSession(bench)
    const operation = await sessionOperationOf(bench, live)
    const idempotencyKey = freshNonce()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => sendByKey(bench, live, operation, { idempotencyKey }))
    )
    assert.deepStrictEqual([...new Set(answers.map(({ status }) => status))], [202])
    assert.strictEqual(timesCarried(bench, live.wallet.address), 1)
    await executedByBundler(bench, operation)
  })
})

describe("a grant that is revoked while an operation is judged", TIMEOUT, () => {
  it.each(["bot", "owner"] as const)("stops it before it is sent, asked for by the %s", async who => {
    const live = await liveSession(bench)
    const by = live[who]
    const operation = await sessionOperationOf(bench, live, { by })
    const { reached, letGo } = held(proxy, "eth_simulateV1", "after")
    const sending = sendByKey(bench, live, operation, { by })
    await reached
    await revokeBot(service, live.owner, live.bot)
    letGo()
    const problem = await assertProblem(await sending, who === "bot" ? "FORBIDDEN" : "SESSION_NOT_ACTIVE")
    assert.strictEqual(problem.context?.state, who === "bot" ? undefined : "stale")
    assert.strictEqual(timesCarried(bench, live.wallet.address), 0)
  })
})

describe("a revocation on the chain", TIMEOUT, () => {
  it("that comes before the bundler's transaction wins: nothing is executed, and the next generation goes on", async () => {
    const live = await liveSession(bench)
    const operation = await sessionOperationOf(bench, live)
    const { reached, letGo } = held(bundling, "eth_sendUserOperation", "before")
    const sending = sendByKey(bench, live, operation)
    await reached
    await revokedByOwners(bench, live)
    letGo()
    assert.strictEqual((await sending).status, 202)
    const { state, nextAction } = await shownOperationOf(bench, live.bot, operation)
    assert.strictEqual(state, "submission_unknown")
    assert.strictEqual(nextAction.kind, "wait")
    assert.match(nextAction.reason ?? "", /until its session is over, or is revoked in a final block/)
    const calls = await callsOf(live)
    assert.strictEqual(calls, 0)

    const next = await preparedSession(bench, live, live.bot, { generation: "2" })
    await ownersTell(bench, live, enableData(next.compiled.encodedPolicy, BigInt(next.compiled.enableNonce)))
    const again = { ...live, session: await shownSession(bench, live.bot, next) }
    const second = await sessionOperationOf(bench, again)
    await assertProblem(await sendByKey(bench, again, second), "USER_OPERATION_NONCE_RESERVED")
    assert.strictEqual((await shownSession(bench, live.bot, live.session)).state, "revoked")
    await mine(bench, FINAL)
    const retired = await shownSession(bench, live.bot, live.session)
    assert.deepInclude(retired, { state: "revoked", reservationReleased: true })
    await until(
      async () => {
        await mine(bench, FINAL)
        return shownOperationOf(bench, live.bot, operation)
      },
      ({ state }) => state === "expired"
    )
    await used(bench, again)
  })

  it("that comes after it changes nothing of what was executed", async () => {
    const live = await liveSession(bench)
    const operation = await used(bench, live)
    await revokedByOwners(bench, live)
    await until(
      () => shownOperationOf(bench, live.bot, operation),
      ({ state }) => state === "confirmed"
    )
    const plan = await paymentPlan(bench, live)
    await assertProblem(await askSessionOperation(bench, live, plan), "SESSION_NOT_ACTIVE")
  })
})
