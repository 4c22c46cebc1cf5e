import { Clock, Duration, Effect, Fiber } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { bundled, bundleOf, courseOf, type Item } from "../support/Bundles.ts"
import { setClock } from "../support/Clocks.ts"
import { bundleAsOwner, inProcess } from "../support/InProcess.ts"
import { startRelayBench, timesSent } from "../support/RelayBench.ts"
import { holdAnswer, rawOf } from "../support/Relayed.ts"
import { freshNonce } from "../support/SignedFetch.ts"
import { connected } from "../support/Sql.ts"
import { until } from "../support/Until.ts"

const bench = await startRelayBench()
const worker = inProcess(bench)

afterAll(async () => {
  await worker.dispose()
  await bench.stop()
})

const SEND = "eth_sendRawTransaction"
const ESTIMATE = "eth_estimateGas"
const WAITING =
  "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"

const sentOnce = (items: ReadonlyArray<Item>) =>
  assert.deepStrictEqual(
    items.map(({ rawSignedTransaction }) => timesSent(bench, rawSignedTransaction)),
    items.map(() => 1)
  )

const real = Clock.make()

/** Every look at it finds ten more seconds gone by. */
const hasty = (): Clock.Clock => {
  let looks = 0
  return setClock(
    () => 0,
    () => 10_000 * looks++
  )
}

/** Long waits end when this does, and not before. */
const endingWith = (over: Promise<unknown>): Clock.Clock =>
  Object.assign(Clock.make(), {
    sleep: (duration: Duration.Duration) =>
      Duration.toMillis(duration) > 30_000 ? Effect.promise(() => over) : real.sleep(duration)
  })

describe("a bundle whose time runs out", () => {
  it("stops before an item rather than in it, and goes on with the next request", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[], [], []])
    const idempotencyKey = freshNonce()
    const { answer } = await worker.runPromise(
      Effect.withClock(bundleAsOwner(owner, plan, items, idempotencyKey), hasty())
    )
    assert.isFalse(answer.complete)
    assert.strictEqual(answer.error?.code, "REQUEST_TIMEOUT")
    const done = answer.results.length
    assert.isAbove(done, 0)
    assert.deepStrictEqual(answer.remainingStepIndices, [0, 1, 2].slice(done))
    assert.strictEqual(timesSent(bench, rawOf(items, done)), 0)
    const resumed = await bundled(bench.service, owner, plan, items, { idempotencyKey })
    assert.deepStrictEqual(courseOf(resumed), { complete: true, done: [0, 1, 2] })
    sentOnce(items)
  })

  it("tells what was done although an item hangs, which is known under its key afterwards", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[], []])
    const idempotencyKey = freshNonce()
    const last = holdAnswer(bench, SEND, 2)
    const { answer } = await worker.runPromise(
      Effect.withClock(bundleAsOwner(owner, plan, items, idempotencyKey), endingWith(last.reached))
    )
    last.letGo()
    assert.deepStrictEqual(
      [answer.stoppedAt, answer.error?.code, answer.remainingStepIndices],
      [1, "REQUEST_TIMEOUT", [1]]
    )
    assert.strictEqual(answer.results[0]?.dispatch.status, "submitted")
    const resumed = await bundled(bench.service, owner, plan, items, { idempotencyKey })
    assert.deepStrictEqual(courseOf(resumed), { complete: true, done: [0, 1] })
    sentOnce(items)
  })
})

describe("a request that is given up while its claim waits", () => {
  it("sends what it has claimed", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[]])
    const idempotencyKey = freshNonce()
    const blocker = await connected(bench.service.databaseUrl)
    const estimate = holdAnswer(bench, ESTIMATE)
    const fiber = worker.runFork(bundleAsOwner(owner, plan, items, idempotencyKey))
    await estimate.reached
    await blocker.query("BEGIN")
    await blocker.query("SELECT 1 FROM accounts WHERE id = $1 FOR UPDATE", [owner.accountId])
    estimate.letGo()
    await until(
      async () => (await blocker.query(WAITING)).rows.length,
      waiting => waiting > 0
    )
    await worker.runPromise(Fiber.interruptFork(fiber))
    await blocker.query("COMMIT")
    await blocker.end()
    await until(
      async () => timesSent(bench, rawOf(items, 0)),
      times => times === 1
    )
    const found = await bundled(bench.service, owner, plan, items, { idempotencyKey })
    assert.strictEqual(found.results[0]?.dispatch.status, "submitted")
    sentOnce(items)
  })
})
