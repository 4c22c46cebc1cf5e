/** A claim whose answer the database's connection lost: the operation leaves once all the same, from the process that made it. */
import { afterAll, assert, it } from "vitest"
import { unlink } from "../smartaccounts/support/Bindings.ts"
import { assertProblem } from "../support/Problem.ts"
import { freshNonce } from "../support/SignedFetch.ts"
import { startTcpProxy } from "../support/TcpProxy.ts"
import { until } from "../support/Until.ts"
import { startOperatingBench, timesSent } from "./support/Operating.ts"
import { sendingOn } from "./support/Sending.ts"

const bench = await startOperatingBench()
const { prepared, send } = sendingOn(bench)
const { databaseUrl } = bench.service
const link = await startTcpProxy(Number(new URL(databaseUrl).port))
const linked = new URL(databaseUrl)
linked.host = `127.0.0.1:${link.port}`
const replica = await bench.replica({}, { databaseUrl: linked.href })

afterAll(async () => {
  await replica.stop()
  await link.close()
  await bench.stop()
})

const CLAIM = '"lease_millis"'

it("an operation is sent, once, and the same request is told of it", async () => {
  const one = await prepared()
  const idempotencyKey = freshNonce()
  const lost = link.loseAnswerTo(CLAIM)
  await assertProblem(await send(one, { idempotencyKey }, replica), "DATABASE_UNAVAILABLE")
  await lost
  await until(
    async () => timesSent(bench, one.operation),
    times => times === 1
  )
  const again = await send(one, { idempotencyKey }, replica)
  assert.strictEqual(again.status, 202)
  assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
  assert.strictEqual(timesSent(bench, one.operation), 1)
})

it("but not once its wallet was unlinked, however often it is looked for", async () => {
  const one = await prepared()
  const lost = link.loseAnswerTo(CLAIM).then(link.cut)
  const answer = send(one, {}, replica)
  await lost
  await assertProblem(await answer, "DATABASE_UNAVAILABLE")
  assert.strictEqual((await unlink({ service: bench.service, owner: one.owner }, one.binding.id)).status, 200)
  link.restore()
  await link.loseAnswerTo(CLAIM)
  await link.loseAnswerTo(CLAIM)
  assert.strictEqual(timesSent(bench, one.operation), 0)
})
