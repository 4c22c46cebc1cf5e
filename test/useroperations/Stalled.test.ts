/** A bundler that does not answer: the request is answered in time, and an ending process waits for the sending so long and no longer. */
import { afterAll, assert, describe, it } from "vitest"
import { toldClock } from "../support/Clocks.ts"
import { assertProblem } from "../support/Problem.ts"
import { mine } from "../support/RelayBench.ts"
import { freshNonce, signedInit } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { until } from "../support/Until.ts"
import { shownOperation, startOperatingBench, timesSent } from "./support/Operating.ts"
import { type Prepared, sendingOn } from "./support/Sending.ts"

const REQUEST = "20 seconds"
const GRACE = "12 seconds"

const bench = await startOperatingBench()
const { prepared, send, show, executed, heldAnswer, isNeverSentAgain, staysUnknown } = sendingOn(bench)

afterAll(() => bench.stop())

/** A replica whose waits end when they are told to, and an operation that left it and does not arrive. */
const stalled = async () => {
  const time = toldClock([REQUEST, GRACE])
  const replica = await bench.replica({}, { clock: time.clock })
  const one = await prepared()
  const idempotencyKey = freshNonce()
  const { reached, letGo } = heldAnswer("before")
  const leaving = new AbortController()
  const path = `/api/v1/user-operations/${one.operation.id}/submissions`
  const body = { signature: one.signature }
  const init = await signedInit(replica, one.owner, "POST", path, { body, idempotencyKey })
  const answer = fetch(`${replica.url}${path}`, { ...init, signal: leaving.signal })
  await reached
  return { time, replica, one, idempotencyKey, letGo, answer, leaving }
}

/** What is stored of the bundler's answer. */
const outcomeOf = async ({ operation }: Prepared) => {
  const select = "SELECT outcome FROM operation_sends WHERE operation = $1"
  const [row] = await sqlOn(bench.service.databaseUrl, select, [operation.id])
  return row?.outcome
}

/** The wait of its only request is over, and the process has nothing left but the sending. */
const ending = async ({ time, replica, answer }: Awaited<ReturnType<typeof stalled>>) => {
  const stopping = replica.stop()
  await time.over(REQUEST)
  assert.strictEqual((await answer).status, 202)
  await time.begun(GRACE)
  return { stopping }
}

const endLease = ({ operation }: Prepared) =>
  sqlOn(
    bench.service.databaseUrl,
    "UPDATE operation_sends SET expires_at = unix_millis() WHERE operation = $1",
    [operation.id]
  )

describe("while a bundler does not answer", () => {
  it("the request is answered with the record as it is, and the answer is stored when it comes", async () => {
    const { time, replica, one, idempotencyKey, letGo, answer } = await stalled()
    await time.over(REQUEST)
    const told = await answer
    assert.deepStrictEqual([told.status, (await told.json()).state], [202, "submitting"])
    const again = await send(one, { idempotencyKey }, replica)
    assert.deepStrictEqual([again.status, again.headers.get("idempotent-replayed")], [202, "true"])
    assert.strictEqual((await again.json()).state, "submitting")
    letGo()
    await until(
      () => outcomeOf(one),
      outcome => outcome === "accepted"
    )
    assert.strictEqual(timesSent(bench, one.operation), 1)
    await replica.stop()
  })

  it("a client that leaves ends nothing, and the end of the process waits for the answer", async () => {
    const { time, replica, one, letGo, answer, leaving } = await stalled()
    leaving.abort()
    await answer.catch(() => {})
    const stopping = replica.stop()
    await time.over(REQUEST)
    letGo()
    await stopping
    assert.strictEqual(await outcomeOf(one), "accepted")
    assert.strictEqual(timesSent(bench, one.operation), 1)
  })
})

describe("a process that ends while a bundler does not answer", () => {
  it("stores the answer that comes in its last seconds", async () => {
    const standing = await stalled()
    const { one, letGo } = standing
    const { stopping } = await ending(standing)
    assert.strictEqual((await show(one)).state, "submitting")
    letGo()
    await stopping
    assert.strictEqual(await outcomeOf(one), "accepted")
    await isNeverSentAgain(one)
  })

  it("waits for no later one, which nobody stores, and nobody sends again what its chain then shows", async () => {
    const standing = await stalled()
    const { time, one, letGo } = standing
    const { stopping } = await ending(standing)
    await time.over(GRACE)
    await stopping
    assert.strictEqual((await show(one)).state, "submitting")
    await endLease(one)
    const next = await bench.replica()
    await assertProblem(await send(one, {}, next), "USER_OPERATION_CONFLICT")
    await staysUnknown(one)
    letGo()
    await executed(one.operation.operation)
    await mine(bench)
    await until(
      () => shownOperation(next, one.owner, one.operation),
      ({ state }) => state === "confirmed"
    )
    assert.strictEqual(await outcomeOf(one), null)
    assert.strictEqual(timesSent(bench, one.operation), 1)
    await next.stop()
  })
})
