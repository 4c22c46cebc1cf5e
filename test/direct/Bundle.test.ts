import { createHash } from "node:crypto"
import { afterAll, assert, describe, it } from "vitest"
import { bundled, bundleOf, courseOf, postBundle } from "../support/Bundles.ts"
import { callOf } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import { mine, newPayer, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { hashOf, signCall } from "../support/SignedCalls.ts"
import { freshNonce, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { submitted } from "../support/Submissions.ts"

const bench = await startRelayBench()

afterAll(() => bench.stop())

const sql = (text: string, values: ReadonlyArray<unknown> = []) =>
  sqlOn(bench.service.databaseUrl, text, values)

const keysOf = (planId: string) =>
  sql(
    "SELECT key, kind, step FROM idempotency_keys WHERE plan = $1 AND kind <> 'plan' ORDER BY step NULLS FIRST",
    [planId]
  )

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

const INDEPENDENT = [[], [], []]

describe("a bundle", () => {
  it("relays its items once, in their order, and says what became of each", async () => {
    const { owner, plan, items } = await bundleOf(bench, INDEPENDENT)
    const answer = await bundled(bench.service, owner, plan, items)
    assert.deepStrictEqual(courseOf(answer), { complete: true, done: [0, 1, 2] })
    assert.isFalse(answer.atomic)
    const hashes = items.map(({ rawSignedTransaction }) => hashOf(rawSignedTransaction))
    assert.deepStrictEqual(
      answer.results.map(({ dispatch }) => [dispatch.status, dispatch.hash, dispatch.count]),
      hashes.map(hash => ["submitted", hash, 1])
    )
    const sent = bench.proxy.sent().map(({ raw }) => raw.hash)
    assert.deepStrictEqual(
      sent.filter(hash => hashes.some(own => own === hash)),
      hashes
    )
    assert.deepStrictEqual(
      answer.plan.steps.map(({ state }) => state),
      ["submitted", "submitted", "submitted"]
    )
  })

  it("remembers itself under its key, and each item under a key of its own", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[], []])
    const idempotencyKey = freshNonce()
    await bundled(bench.service, owner, plan, items, { idempotencyKey })
    assert.deepStrictEqual(await keysOf(plan.id), [
      { key: idempotencyKey, kind: "bundle", step: null },
      { key: sha256(`${idempotencyKey}:0`), kind: "submission", step: 0 },
      { key: sha256(`${idempotencyKey}:1`), kind: "submission", step: 1 }
    ])
  })

  it("may name some steps only, in any order that the wallet's nonces allow", async () => {
    const { owner, plan } = await bundleOf(bench, INDEPENDENT)
    const items = await Promise.all(
      [2, 0].map(async (stepIndex, nonce) => ({
        stepIndex,
        rawSignedTransaction: await signCall(bench, owner, callOf(plan, stepIndex), { nonce })
      }))
    )
    const answer = await bundled(bench.service, owner, plan, items)
    assert.deepStrictEqual(courseOf(answer), { complete: true, done: [2, 0] })
    assert.strictEqual(answer.plan.steps[1]?.state, "ready")
  })

  it("takes a step that was submitted by itself as done", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[], []])
    const raw = items[0]?.rawSignedTransaction ?? "0x"
    await submitted(bench.service, owner, plan, { rawSignedTransaction: raw })
    const answer = await bundled(bench.service, owner, plan, items)
    assert.deepStrictEqual(courseOf(answer), { complete: true, done: [0, 1] })
    assert.strictEqual(timesSent(bench, raw), 1)
  })
})

describe("a bundle that reaches a step that cannot go", () => {
  it("stops there, and the same request goes on once it can", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[], [0], []])
    const idempotencyKey = freshNonce()
    const first = await bundled(bench.service, owner, plan, items, { idempotencyKey })
    const stopped = { complete: false, done: [0], stoppedAt: 1, code: "DEPENDENCIES_UNCONFIRMED" }
    assert.deepStrictEqual(courseOf(first), { ...stopped, remaining: [1, 2] })
    assert.strictEqual(first.error?.detail, "An earlier step that this one depends on is not satisfied.")
    assert.deepStrictEqual(first.plan.steps[1]?.blockedBy, [0])
    const again = await bundled(bench.service, owner, plan, items, { idempotencyKey })
    assert.deepStrictEqual(courseOf(again), { ...stopped, remaining: [1, 2] })
    await mine(bench)
    const resumed = await postBundle(bench.service, owner, plan, items, { idempotencyKey })
    assert.isNull(resumed.headers.get("idempotent-replayed"))
    assert.deepStrictEqual(courseOf(await resumed.json()), { complete: true, done: [0, 1, 2] })
    for (const { rawSignedTransaction } of items)
      assert.strictEqual(timesSent(bench, rawSignedTransaction), 1)
  })

  it("stops at the first when its plan is past its expiry", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[], []])
    await sql("UPDATE plans SET created_at = 0, expires_at = 1 WHERE id = $1", [plan.id])
    const answer = await bundled(bench.service, owner, plan, items)
    const stopped = { complete: false, done: [], stoppedAt: 0, code: "PLAN_EXPIRED", remaining: [0, 1] }
    assert.deepStrictEqual(courseOf(answer), stopped)
    assert.strictEqual(timesSent(bench, items[0]?.rawSignedTransaction ?? ""), 0)
  })

  it("stops where a step has another transaction, and where the nonce is not the next", async () => {
    const { owner, plan, items } = await bundleOf(bench, INDEPENDENT)
    const [first, second, third] = items
    await submitted(bench.service, owner, plan, { rawSignedTransaction: first?.rawSignedTransaction ?? "0x" })
    const other = await signCall(bench, owner, callOf(plan), { nonce: 5 })
    const taken = await bundled(bench.service, owner, plan, [
      second,
      { stepIndex: 0, rawSignedTransaction: other },
      third
    ])
    assert.deepStrictEqual(courseOf(taken), {
      complete: false,
      done: [1],
      stoppedAt: 1,
      code: "STEP_ALREADY_BOUND",
      remaining: [0, 2]
    })
    const ahead = await signCall(bench, owner, callOf(plan, 2), { nonce: 9 })
    const early = await bundled(bench.service, owner, plan, [{ stepIndex: 2, rawSignedTransaction: ahead }])
    assert.strictEqual(early.error?.code, "NONCE_NOT_READY")
    assert.strictEqual(timesSent(bench, ahead), 0)
  })
})

describe("a repeat of a bundle that is done", () => {
  it("is answered from storage without asking a chain, also after the plan's expiry", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[], []])
    const idempotencyKey = freshNonce()
    await bundled(bench.service, owner, plan, items, { idempotencyKey })
    await sql("UPDATE plans SET created_at = 0, expires_at = 1 WHERE id = $1", [plan.id])
    const asked = bench.proxy.roundTrips()
    const repeat = await postBundle(bench.service, owner, plan, items, { idempotencyKey })
    assert.strictEqual(repeat.headers.get("idempotent-replayed"), "true")
    assert.deepStrictEqual(courseOf(await repeat.json()), { complete: true, done: [0, 1] })
    assert.strictEqual(bench.proxy.roundTrips(), asked)
  })
})

describe("a key", () => {
  it("names one bundle", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[], []])
    const idempotencyKey = freshNonce()
    await bundled(bench.service, owner, plan, items.slice(0, 1), { idempotencyKey })
    const other = await postBundle(bench.service, owner, plan, items, { idempotencyKey })
    await assertProblem(other, "IDEMPOTENCY_CONFLICT")
    assert.strictEqual(timesSent(bench, items[1]?.rawSignedTransaction ?? ""), 0)
  })

  it("names one bundle even where its first item could not go", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[], [0]])
    const idempotencyKey = freshNonce()
    const blocked = await bundled(bench.service, owner, plan, items.slice(1), { idempotencyKey })
    assert.strictEqual(blocked.stoppedAt, 0)
    const other = await postBundle(bench.service, owner, plan, items, { idempotencyKey })
    await assertProblem(other, "IDEMPOTENCY_CONFLICT")
  })

  it("is needed", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[]])
    const target = `/api/v1/plans/${plan.id}/submissions`
    const body = { submissions: items }
    const answer = await signedFetch(bench.service, owner, "POST", target, { body })
    await assertProblem(answer, "IDEMPOTENCY_REQUIRED")
  })

  it("of an item that names another request stops the bundle there", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[], []])
    const idempotencyKey = freshNonce()
    await submitted(
      bench.service,
      owner,
      plan,
      { rawSignedTransaction: items[0]?.rawSignedTransaction ?? "0x" },
      { idempotencyKey: sha256(`${idempotencyKey}:1`) }
    )
    const answer = await bundled(bench.service, owner, plan, items, { idempotencyKey })
    assert.deepStrictEqual(courseOf(answer), {
      complete: false,
      done: [0],
      stoppedAt: 1,
      code: "IDEMPOTENCY_CONFLICT",
      remaining: [1]
    })
  })
})

describe("a bundle that is refused", () => {
  it("leaves no key and sends nothing, and says which item is wrong and why", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[], []])
    const [good, next] = items
    const raw = next?.rawSignedTransaction ?? "0x"
    const elsewhere = await signCall(bench, owner, callOf(plan, 1), { nonce: 1, value: 5n })
    const faults: ReadonlyArray<readonly [unknown, Readonly<Record<string, unknown>>]> = [
      [[], { items: 0 }],
      ["items", { items: 0 }],
      [Array.from({ length: 33 }, () => good), { items: 33 }],
      [[good, good], { item: 1, stepIndex: 0 }],
      [[good, 7], { item: 1, path: "" }],
      [[good, { ...next, extra: 1 }], { item: 1, path: "extra" }],
      [[good, { stepIndex: 1 }], { item: 1, path: "rawSignedTransaction" }],
      [[good, { ...next, stepIndex: 32 }], { item: 1, path: "stepIndex" }],
      [[good, { ...next, stepIndex: "1" }], { item: 1, path: "stepIndex" }],
      [[good, { ...next, rawSignedTransaction: 7 }], { item: 1, path: "rawSignedTransaction" }],
      [[good, { ...next, rawSignedTransaction: "hex" }], { item: 1, code: "INVALID_SIGNED_TRANSACTION" }],
      [
        [good, { ...next, rawSignedTransaction: raw.slice(0, -2) }],
        { item: 1, code: "INVALID_SIGNED_TRANSACTION" }
      ],
      [[good, { ...next, ownerApproval: {} }], { item: 1, code: "INVALID_OWNER_APPROVAL" }],
      [[good, { ...next, stepIndex: 2 }], { item: 1, stepIndex: 2, code: "STEP_NOT_FOUND" }],
      [
        [good, { ...next, rawSignedTransaction: elsewhere }],
        { item: 1, stepIndex: 1, code: "SIGNED_PLAN_MISMATCH", members: ["value"] }
      ]
    ]
    for (const [submissions, context] of faults) {
      const answer = await postBundle(bench.service, owner, plan, submissions)
      const problem = await assertProblem(answer, "INVALID_BUNDLE")
      assert.deepInclude(problem.context, context, JSON.stringify(problem))
    }
    assert.deepStrictEqual(await keysOf(plan.id), [])
    for (const { rawSignedTransaction } of items)
      assert.strictEqual(timesSent(bench, rawSignedTransaction), 0)
  })

  it("has exactly the members that it may have", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[]])
    const more = { submissions: items, isOwner: true }
    await assertProblem(await postBundle(bench.service, owner, plan, items, { body: more }), "INVALID_INPUT")
    await assertProblem(await postBundle(bench.service, owner, plan, items, { body: {} }), "INVALID_BUNDLE")
    const raw = items[0]?.rawSignedTransaction ?? ""
    assert.strictEqual(timesSent(bench, raw), 0)
  })

  it("may name neither a foreign plan nor none", async () => {
    const { plan, items } = await bundleOf(bench, [[]])
    const stranger = await newPayer(bench)
    await assertProblem(await postBundle(bench.service, stranger, plan, items), "PLAN_NOT_FOUND")
    const none = { id: "01234567-89ab-4def-8123-456789abcdef" }
    await assertProblem(await postBundle(bench.service, stranger, none, items), "PLAN_NOT_FOUND")
    const malformed = await postBundle(bench.service, stranger, { id: "x" }, items)
    await assertProblem(malformed, "INVALID_PARAMETER")
  })
})
