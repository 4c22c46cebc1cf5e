import { Effect } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { AtFailpoint, type Failpoint } from "../../src/values/Failpoint.ts"
import { bundled, bundleOf, courseOf, type Item, postBundle } from "../support/Bundles.ts"
import { bundleAsOwner, inProcess } from "../support/InProcess.ts"
import { callOf } from "../support/PlannedCalls.ts"
import { problemIn } from "../support/Problem.ts"
import { timesSent } from "../support/RelayBench.ts"
import { rawOf, whileChainStands } from "../support/Relayed.ts"
import { startReplicas, times } from "../support/Replicas.ts"
import { signCall } from "../support/SignedCalls.ts"
import { freshNonce } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { shown, submit } from "../support/Submissions.ts"

const { bench, second, replica, stop } = await startReplicas()

afterAll(stop)

const sentOnce = (items: ReadonlyArray<Item>) =>
  assert.deepStrictEqual(
    items.map(({ rawSignedTransaction }) => timesSent(bench, rawSignedTransaction)),
    items.map(() => 1)
  )

describe("bundles at once over two replicas", () => {
  it("under one key have one outcome", () =>
    whileChainStands(bench, async () => {
      const { owner, plan, items } = await bundleOf(bench, [[], [], []])
      const idempotencyKey = freshNonce()
      const slow = { kind: "delay", millis: 700 } as const
      bench.proxy.fault({ method: "eth_sendRawTransaction", phase: "before", act: slow })
      const answers = await times(20, index =>
        bundled(replica(index), owner, plan, items, { idempotencyKey })
      )
      for (const answer of answers)
        assert.deepStrictEqual(
          courseOf(answer),
          { complete: true, done: [0, 1, 2] },
          JSON.stringify(answer.error)
        )
      sentOnce(items)
      const claims = await sqlOn(
        bench.service.databaseUrl,
        "SELECT step, count FROM dispatch_leases WHERE plan = $1 ORDER BY step",
        [plan.id]
      )
      assert.deepStrictEqual(
        claims,
        [0, 1, 2].map(step => ({ step, count: 1 }))
      )
      const keys = await sqlOn(
        bench.service.databaseUrl,
        "SELECT count(*) AS count FROM idempotency_keys WHERE plan = $1 AND kind <> 'plan'",
        [plan.id]
      )
      assert.deepStrictEqual(keys, [{ count: 4 }])
    }))

  it("under keys of their own send each transaction once", () =>
    whileChainStands(bench, async () => {
      const { owner, plan, items } = await bundleOf(bench, [[], []])
      const answers = await times(12, index => bundled(replica(index), owner, plan, items))
      assert.isTrue(answers.some(({ complete }) => complete))
      for (const { error } of answers) assert.include([undefined, "NONCE_NOT_READY"], error?.code)
      sentOnce(items)
    }))

  it("under one key with different bodies have one winner", () =>
    whileChainStands(bench, async () => {
      const { owner, plan, items } = await bundleOf(bench, [[], []])
      const idempotencyKey = freshNonce()
      const bodies = [items, items.slice(0, 1)]
      const answers = await times(12, index =>
        postBundle(replica(index), owner, plan, bodies[(index >> 1) % 2], { idempotencyKey })
      )
      const outcomes = await Promise.all(
        answers.map(async answer =>
          answer.ok ? (await answer.json()).results.length : (await problemIn(answer)).code
        )
      )
      const won = [
        outcomes.filter((_, index) => (index >> 1) % 2 === 0),
        outcomes.filter((_, index) => (index >> 1) % 2 === 1)
      ]
      const [losers, winners] = won[0]?.includes("IDEMPOTENCY_CONFLICT") ? won : won.toReversed()
      assert.deepStrictEqual(new Set(losers), new Set(["IDEMPOTENCY_CONFLICT"]))
      assert.strictEqual(new Set(winners).size, 1)
      assert.isNumber(winners?.[0])
      assert.strictEqual(timesSent(bench, rawOf(items, 0)), 1)
    }))
})

describe("a bundle whose twin was faster", () => {
  it("answers from storage what it could no longer do itself", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[]])
    const idempotencyKey = freshNonce()
    const worker = inProcess(bench)
    let arrive = () => {}
    const arrived = new Promise<void>(resolve => {
      arrive = resolve
    })
    let go = () => {}
    const released = new Promise<void>(resolve => {
      go = resolve
    })
    const held = (reached: Failpoint) =>
      reached === "preflight.passed"
        ? Effect.zipRight(
            Effect.sync(arrive),
            Effect.promise(() => released)
          )
        : Effect.void
    const slow = worker.runPromise(
      Effect.provideService(bundleAsOwner(owner, plan, items, idempotencyKey), AtFailpoint, held)
    )
    await arrived
    const fast = await bundled(second, owner, plan, items, { idempotencyKey })
    assert.isTrue(fast.complete)
    await sqlOn(bench.service.databaseUrl, "UPDATE plans SET created_at = 0, expires_at = 1 WHERE id = $1", [
      plan.id
    ])
    go()
    const { answer } = await slow
    assert.deepStrictEqual(answer.results, fast.results)
    sentOnce(items)
    await worker.dispose()
  })
})

describe("a bundle beside a submission of one of its steps", () => {
  it("sends the same bytes once", () =>
    whileChainStands(bench, async () => {
      for (let round = 0; round < 5; round++) {
        const { owner, plan, items } = await bundleOf(bench, [[], []])
        const single = { rawSignedTransaction: rawOf(items, 0) }
        const [bundle, alone] = await Promise.all([
          bundled(bench.service, owner, plan, items),
          submit(second, owner, plan, single)
        ])
        assert.strictEqual(alone.status, 202)
        assert.strictEqual(bundle.results[0]?.stepIndex, 0)
        assert.strictEqual(timesSent(bench, rawOf(items, 0)), 1)
        assert.isAtMost(timesSent(bench, rawOf(items, 1)), 1)
      }
    }))

  it("binds the step to one of two transactions", () =>
    whileChainStands(bench, async () => {
      for (let round = 0; round < 5; round++) {
        const { owner, plan, items } = await bundleOf(bench, [[], []])
        const other = await signCall(bench, owner, callOf(plan), { nonce: 0, gas: 900_000n })
        const [bundle, alone] = await Promise.all([
          bundled(bench.service, owner, plan, items),
          submit(second, owner, plan, { rawSignedTransaction: other })
        ])
        const sent = [rawOf(items, 0), other].map(raw => timesSent(bench, raw))
        assert.deepStrictEqual(sent.toSorted(), [0, 1])
        const refusal = alone.ok ? bundle.error?.code : (await problemIn(alone)).code
        assert.include(["STEP_ALREADY_BOUND", "NONCE_NOT_READY"], refusal)
        assert.strictEqual(bundle.results.length > 0, sent[0] === 1)
        const { steps } = await shown(bench.service, owner, plan)
        assert.isDefined(steps[0]?.transaction)
      }
    }))
})
