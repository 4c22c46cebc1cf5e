/** A signed operation leaves for the bundler once, whatever that answers, however many ask and by whichever way. */

import { encodeFunctionData } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { unlink } from "../smartaccounts/support/Bindings.ts"
import { controlAbi, ownersDo } from "../smartaccounts/support/Inspections.ts"
import { enroll } from "../support/Bots.ts"
import { callOf, stepOf } from "../support/PlannedCalls.ts"
import { assertProblem, problemIn } from "../support/Problem.ts"
import { mine, newRelayBot } from "../support/RelayBench.ts"
import { holdAnswer } from "../support/Relayed.ts"
import { signCall } from "../support/SignedCalls.ts"
import { freshNonce, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { shown, submit } from "../support/Submissions.ts"
import { until } from "../support/Until.ts"
import {
  bindWallet,
  boundWallet,
  envelopeOf,
  partyOf,
  preparedOperation,
  startOperatingBench,
  timesSent,
  walletPlan
} from "./support/Operating.ts"
import { type Prepared, SEND, sendingOn } from "./support/Sending.ts"

const OTHER = "0x00000000000000000000000000000000000000f1"

const addOwner = encodeFunctionData({
  abi: controlAbi,
  functionName: "addOwnerWithThreshold",
  args: [OTHER, 2n]
})

const bench = await startOperatingBench()
const { service, bundling } = bench

afterAll(() => bench.stop())

const { prepared, send, show, sent, executed, heldAnswer } = sendingOn(bench)
const { isNeverSentAgain, staysUnknown, isUntouched } = sendingOn(bench)

const sql = (text: string, values: ReadonlyArray<unknown> = []) => sqlOn(service.databaseUrl, text, values)

describe("a sending", () => {
  it("has the bundler carry out what the owners signed, and binds its steps for good", async () => {
    const one = await prepared()
    const { owner, plan, operation } = one
    const told = await sent(one)
    assert.strictEqual(told.state, "pending")
    assert.isAbove(told.revision, operation.revision)
    const step = stepOf(await shown(service, owner, plan))
    assert.strictEqual(step.state, "submitted")
    assert.deepStrictEqual(step.execution, {
      transport: "eip4337-user-operation",
      bindingId: operation.id,
      chainId: 31337
    })
    assert.deepInclude(step.dispatch, { status: "submitted", hash: operation.operationHash, count: 1 })
    await executed(operation.operation)
    assert.strictEqual(timesSent(bench, operation), 1)
  })

  it("binds its steps to it alone: neither a transaction nor another operation takes one", async () => {
    const one = await prepared()
    const { owner, owners, plan } = one
    const twin = await preparedOperation(service, owner, plan)
    await sent(one)
    const raw = await signCall(bench, owner, callOf(plan))
    const direct = await submit(service, owner, plan, { rawSignedTransaction: raw })
    assert.isAtLeast(direct.status, 400)
    const signature = await envelopeOf(twin, owners)
    await assertProblem(await send({ owner, operation: twin, signature }), "STEP_ALREADY_BOUND")
    assert.strictEqual(timesSent(bench, one.operation), 1)
  })

  it("shows no signature in any answer", async () => {
    const one = await prepared()
    const told = JSON.stringify([await sent(one), await show(one), await shown(service, one.owner, one.plan)])
    const signatures = one.signature.slice(26)
    assert.notInclude(told.toLowerCase(), signatures.slice(0, 128))
    assert.notInclude(told.toLowerCase(), signatures.slice(130))
  })

  it("is under way while the bundler thinks, and nobody sends it meanwhile", async () => {
    const one = await prepared()
    const { reached, letGo } = heldAnswer("before")
    const first = send(one)
    await reached
    assert.strictEqual((await show(one)).state, "submitting")
    assert.strictEqual(stepOf(await shown(service, one.owner, one.plan)).state, "reserved")
    await assertProblem(await send(one), "USER_OPERATION_CONFLICT")
    letGo()
    assert.strictEqual((await (await first).json()).state, "pending")
    assert.strictEqual(timesSent(bench, one.operation), 1)
  })
})

describe("one operation leaves", () => {
  it("of twenty equal requests, whose repeat asks nobody anything", async () => {
    const one = await prepared()
    const idempotencyKey = freshNonce()
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(one, { idempotencyKey })))
    assert.strictEqual(timesSent(bench, one.operation), 1)
    for (const answer of answers) assert.strictEqual(answer.status, 202, await answer.text())
    const fresh = answers.filter(({ headers }) => headers.get("idempotent-replayed") === null)
    assert.strictEqual(fresh.length, 1)
    const before = bundling.records.length
    const again = await send(one, { idempotencyKey })
    assert.deepStrictEqual([again.status, again.headers.get("idempotent-replayed")], [202, "true"])
    assert.strictEqual(bundling.records.length, before)
  })

  it("of twenty with keys of their own, on two replicas", async () => {
    const one = await prepared()
    const replica = await bench.replica()
    try {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => send(one, {}, index % 2 === 0 ? service : replica))
      )
      assert.strictEqual(answers.filter(({ status }) => status === 202).length, 1)
      const known = ["USER_OPERATION_CONFLICT", "STEP_ALREADY_BOUND", "USER_OPERATION_NONCE_CHANGED"]
      for (const answer of answers)
        if (answer.status !== 202) assert.include(known, (await problemIn(answer)).code)
      assert.strictEqual(timesSent(bench, one.operation), 1)
    } finally {
      await replica.stop()
    }
  })

  it("of one that other owners signed, too", async () => {
    const one = await prepared()
    const signature = await envelopeOf(one.operation, one.owners.slice(1))
    const answers = await Promise.all([send(one), send({ ...one, signature })])
    assert.sameMembers(
      answers.map(({ status }) => status),
      [202, 409]
    )
    assert.strictEqual(timesSent(bench, one.operation), 1)
  })

  const onlyOne = async (both: ReadonlyArray<Prepared>) => {
    const [first = assert.fail("nothing was prepared")] = both
    const answers = await Promise.all(both.map(one => send(one)))
    assert.strictEqual(answers.filter(({ status }) => status === 202).length, 1)
    const known = ["USER_OPERATION_NONCE_RESERVED", "USER_OPERATION_NONCE_CHANGED"]
    for (const answer of answers)
      if (answer.status !== 202) assert.include(known, (await problemIn(answer)).code)
    assert.strictEqual(timesSent(bench, first.operation), 1)
  }

  it("of two that take the wallet's one nonce", async () => {
    const bound = await boundWallet(bench)
    await onlyOne([await prepared(bound), await prepared(bound)])
  })

  it("of two accounts that the wallet is bound to", async () => {
    const bound = await boundWallet(bench)
    const [, second = assert.fail("a wallet has one owner")] = bound.owners
    const other = partyOf(second)
    await enroll(service, other)
    const binding = await bindWallet(service, other, bound.owners, bound.wallet.address)
    await onlyOne([await prepared(bound), await prepared({ ...bound, owner: other, binding })])
  })
})

describe("what became of it is not known, and it is never sent again,", () => {
  it.each([
    ["refuses it", { kind: "error", code: -32_500, message: "AA25 invalid account nonce" }],
    ["says that it knows it", { kind: "error", code: -32_602, message: "already known" }],
    ["names another hash", { kind: "result", result: `0x${"ab".repeat(32)}` }],
    ["names none", { kind: "result", result: null }],
    ["breaks off", { kind: "reset" }],
    ["answers by another id", { kind: "wrongId" }]
  ] as const)("where the bundler takes it and %s, until its chain shows it", async (_, act) => {
    const one = await prepared()
    bundling.fault({ method: SEND, phase: "after", act })
    assert.strictEqual((await sent(one)).state, "submission_unknown")
    await isNeverSentAgain(one)
    await executed(one.operation.operation)
    await mine(bench)
    await until(
      () => show(one),
      ({ state }) => state === "confirmed"
    )
  })

  it("where the bundler never hears of it", async () => {
    const one = await prepared()
    bundling.fault({ method: SEND, phase: "before", act: { kind: "reset" } })
    assert.strictEqual((await sent(one)).state, "submission_unknown")
    await staysUnknown(one)
  })

  it("once the time of a claim is over whose process died", async () => {
    const one = await prepared()
    bundling.fault({ method: SEND, phase: "before", act: { kind: "reset" } })
    await sent(one)
    await sql(
      "UPDATE operation_sends SET outcome = NULL, answered_at = NULL, expires_at = unix_millis() WHERE operation = $1",
      [one.operation.id]
    )
    await staysUnknown(one)
  })
})

describe("nothing is sent, and nothing is reserved,", () => {
  it("of another principal's operation", async () => {
    const one = await prepared()
    const bot = await newRelayBot(bench, one.owner)
    await assertProblem(await send({ ...one, owner: bot }), "USER_OPERATION_NOT_FOUND")
    await isUntouched(one)
  })

  it("of an envelope that the owners did not sign, or that is none", async () => {
    const one = await prepared()
    await assertProblem(await send({ ...one, signature: `${one.signature}00` }), "INVALID_ENVELOPE")
    for (const signature of ["0x", "0x0", `0x${"00".repeat(16_385)}`] as const)
      await assertProblem(await send({ ...one, signature }), "INVALID_INPUT")
    await isUntouched(one)
  })

  it("after its time", async () => {
    const one = await prepared()
    await sql("UPDATE user_operations SET expires_at = unix_millis() WHERE id = $1", [one.operation.id])
    await assertProblem(await send(one), "USER_OPERATION_EXPIRED")
    await isUntouched(one)
  })

  it("once the wallet is unlinked", async () => {
    const one = await prepared()
    assert.strictEqual((await unlink({ service, owner: one.owner }, one.binding.id)).status, 200)
    await assertProblem(await send(one), "SMART_ACCOUNT_CHANGED")
    await isUntouched(one)
  })

  it("once its owners are others", async () => {
    const one = await prepared()
    await ownersDo(bench.sandbox, one.wallet, addOwner, one.owners)
    const refused = await assertProblem(await send(one), "SMART_ACCOUNT_CHANGED")
    assert.deepStrictEqual(refused.context, { check: "owners" })
    await isUntouched(one)
  })

  it("where the grant is revoked between its preflight and its claim", async () => {
    const bound = await boundWallet(bench)
    const { owner, owners } = bound
    const bot = await newRelayBot(bench, owner)
    const plan = await walletPlan(bench, bound, { by: bot })
    const operation = await preparedOperation(service, bot, plan)
    const one = { owner: bot, operation, signature: await envelopeOf(operation, owners) }
    const { reached, letGo } = holdAnswer(bench, "eth_simulateV1")
    const answer = send(one)
    await reached
    const path = `/api/v1/accounts/me/bots/${bot.grantId}`
    assert.strictEqual((await signedFetch(service, owner, "DELETE", path)).status, 200)
    letGo()
    await assertProblem(await answer, "FORBIDDEN")
    await isUntouched({ ...one, owner })
  })

  it("where its wallet cannot pay for it any more", async () => {
    const one = await prepared()
    await bench.sandbox.client.setBalance({ address: one.wallet.address, value: 0n })
    await assertProblem(await send(one), "USER_OPERATION_FUNDING_REQUIRED")
    await isUntouched(one)
  })
})

it("either the claim is first or the wallet's unlinking, and nothing leaves after the latter", async () => {
  for (let round = 0; round < 4; round++) {
    const one = await prepared()
    const place = { service, owner: one.owner }
    const [answer, ended] = await Promise.all([send(one), unlink(place, one.binding.id)])
    assert.strictEqual(ended.status, 200)
    if (answer.status !== 202) await assertProblem(answer, "SMART_ACCOUNT_CHANGED")
    assert.strictEqual(timesSent(bench, one.operation), answer.status === 202 ? 1 : 0)
  }
})

it("a bundler that dies before it hears of an operation, or after it took one, leaves it unknown", async () => {
  const [before, after] = [await prepared(), await prepared()]
  const { reached, letGo } = heldAnswer()
  const asking = sent(after)
  await reached
  await bench.bundler.stop()
  letGo()
  await asking
  assert.strictEqual((await sent(before)).state, "submission_unknown")
  await staysUnknown(before)
  await assertProblem(await send(after), "USER_OPERATION_CONFLICT")
  assert.strictEqual(timesSent(bench, after.operation), 1)
})
