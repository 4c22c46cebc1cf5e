/** An operation that was prepared before the database was restored from a backup, and may have been sent since by a database that is lost. */
import { afterAll, assert, describe, it } from "vitest"
import {
  liveSession,
  sentByKey,
  sessionOperationOf,
  shownOperationOf,
  signedByKey
} from "../sessions/support/Operated.ts"
import { problemIn } from "../support/Problem.ts"
import { mine } from "../support/RelayBench.ts"
import { sqlOn } from "../support/Sql.ts"
import { carriedByAnybody } from "./support/Carried.ts"
import { askOperation, startOperatingBench, timesSent } from "./support/Operating.ts"
import { SEND, sendingOn } from "./support/Sending.ts"

const bench = await startOperatingBench()
const { service } = bench
const { prepared, send, sent, show, isUntouched } = sendingOn(bench)

afterAll(() => bench.stop())

const restore = async () => {
  await sqlOn(service.databaseUrl, "SELECT mark_restored(true)")
  await sqlOn(service.databaseUrl, "UPDATE restorations SET requests_after = 0")
}

const SENT_PERHAPS = {
  kind: "none",
  reason:
    "it may have been sent before the service was restored from a backup: submitting its own signature again takes it up where its entry point has executed it; else look for its event there before anything is done in its place"
} as const

const EXECUTED = {
  kind: "none",
  reason:
    "it was executed, though not known to be sent from here: submitting its own signature takes it up, and nothing is to be done in its place"
} as const

describe("an operation of before a restoration", () => {
  it("is not said to be prepared again, as it was before, since it may have been sent", async () => {
    const one = await prepared()
    assert.strictEqual((await show(one)).nextAction.kind, "sign")
    await restore()
    const { state, nextAction } = await show(one)
    assert.deepStrictEqual({ state, nextAction }, { state: "prepared", nextAction: SENT_PERHAPS })
  })

  it("is followed by no other one of its plan, but by what to look for first", async () => {
    const { owner, plan } = await prepared()
    await restore()
    const refused = await askOperation(service, owner, { planId: plan.id, stepIndexes: [0] })
    const { code, detail, context } = await problemIn(refused)
    assert.strictEqual(code, "PLAN_EXPIRED")
    assert.include(detail, "restored from a backup")
    assert.isNumber(context?.restoredAt)
  })

  it("is taken up by its own signature where its entry point has executed it, and not sent", async () => {
    const one = await prepared()
    const hash = await carriedByAnybody(bench, one)
    await restore()
    assert.deepStrictEqual((await show(one)).nextAction, EXECUTED)
    await sent(one)
    await mine(bench)
    const { state, observation, nextAction } = await show(one)
    assert.deepStrictEqual([state, observation?.transactionHash], ["confirmed", hash])
    assert.deepStrictEqual(nextAction, { kind: "none" })
    assert.strictEqual(timesSent(bench, one.operation), 0)
  })

  it("is taken up though its wallet has been bound in another state since", async () => {
    const one = await prepared()
    await carriedByAnybody(bench, one)
    await restore()
    await sqlOn(
      service.databaseUrl,
      `UPDATE bindings SET state_hash = '0x${"57".repeat(32)}' WHERE id = '${one.binding.id}'`
    )
    assert.deepStrictEqual((await show(one)).nextAction, EXECUTED)
    await sent(one)
    await mine(bench)
    assert.strictEqual((await show(one)).state, "confirmed")
    assert.strictEqual(timesSent(bench, one.operation), 0)
  })

  it("is taken up though a session's key signed it, whose session nobody looked at since", async () => {
    const live = await liveSession(bench)
    const operation = await sessionOperationOf(bench, live)
    const signature = await signedByKey(operation, live.bot)
    await carriedByAnybody(bench, { owner: live.bot, operation, signature })
    await restore()
    await sqlOn(service.databaseUrl, "UPDATE sessions SET observed_at = 1")
    assert.deepStrictEqual((await shownOperationOf(bench, live.bot, operation)).nextAction, EXECUTED)
    await sentByKey(bench, live, operation)
    await mine(bench)
    assert.strictEqual((await shownOperationOf(bench, live.bot, operation)).state, "confirmed")
    assert.deepStrictEqual(
      bench.bundling.records.filter(({ method }) => method === SEND),
      []
    )
  })

  it("is refused where its entry point has not executed it, with a word of the restoration", async () => {
    const one = await prepared()
    await restore()
    const { code, detail } = await problemIn(await send(one))
    assert.strictEqual(code, "USER_OPERATION_EXPIRED")
    assert.include(detail, "restored from a backup")
    await isUntouched(one)
    assert.deepStrictEqual((await show(one)).nextAction, SENT_PERHAPS)
  })
})
