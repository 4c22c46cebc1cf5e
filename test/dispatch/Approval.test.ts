import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import { newKey } from "../support/Bots.ts"
import { runClock, stopClock } from "../support/DatabaseTime.ts"
import { callOf, payment, planned, stepOf } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import {
  mine,
  newPayer,
  newRelayBot,
  type RelayBench,
  startRelayBench,
  timesSent
} from "../support/RelayBench.ts"
import { holdAnswer } from "../support/Relayed.ts"
import { rpc } from "../support/Rpc.ts"
import { signCall } from "../support/SignedCalls.ts"
import { freshNonce, type Party, signedInit } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { type Approved, approvedStep, signApproval } from "../support/StepApproval.ts"
import { refreshed, shown, submit, submitted } from "../support/Submissions.ts"

let bench: RelayBench
let owner: Party
let bot: Party
let plan: Plan
let raw: `0x${string}`

beforeAll(async () => {
  bench = await startRelayBench()
  owner = await newPayer(bench)
  bot = await newRelayBot(bench, owner)
  plan = await planned(bench, owner, { by: bot })
  raw = await signCall(bench, owner, callOf(plan))
})

afterAll(() => bench.stop())

const now = () => Math.floor(Date.now() / 1000)

const withApproval = (ownerApproval: unknown) =>
  submit(bench.service, bot, plan, { rawSignedTransaction: raw, ownerApproval })

/** Lets the database's clock reach the second while the last answer of the preflight is on its way. */
const whilePreflighted = async <A>(until: number, submission: () => Promise<A>): Promise<A> => {
  const estimate = holdAnswer(bench, "eth_estimateGas")
  const answer = submission()
  await estimate.reached
  await stopClock(bench.service.databaseUrl, until)
  estimate.letGo()
  return answer
}

const approvals = (planId: string) =>
  sqlOn(bench.service.databaseUrl, "SELECT form, signer, nonce FROM owner_approvals WHERE plan = $1", [
    planId
  ])

const refused = async (ownerApproval: unknown, code: string) => {
  const problem = await assertProblem(await withApproval(ownerApproval), code)
  assert.strictEqual(timesSent(bench, raw), 0)
  assert.notProperty(stepOf(await shown(bench.service, bot, plan)), "transaction")
  assert.deepStrictEqual(await approvals(plan.id), [])
  return problem
}

const signed = (over: Partial<Approved> = {}) =>
  signApproval(owner.key, bench.service, approvedStep(bot, plan, raw, over))

describe("a bot's submission", () => {
  it("needs an approval before any chain is asked for more than the hash", async () => {
    await assertProblem(
      await submit(bench.service, bot, plan, { rawSignedTransaction: raw }),
      "OWNER_APPROVAL_REQUIRED"
    )
    assert.strictEqual(timesSent(bench, raw), 0)
  })

  const other = `0x${"11".repeat(32)}` as const
  const differing: ReadonlyArray<[keyof Approved, Partial<Approved>]> = [
    ["accountId", { accountId: `eip155:1:0x${"1".repeat(40)}` }],
    ["principalId", { principalId: "bot:00000000-0000-4000-8000-000000000000" }],
    ["planId", { planId: "00000000-0000-4000-8000-000000000000" }],
    ["commitment", { commitment: other }],
    ["stepIndex", { stepIndex: 1 }],
    ["transactionHash", { transactionHash: other }]
  ]

  it.each(differing)("is refused when the approved %s differs", async (member, over) => {
    const problem = await refused(await signed(over), "OWNER_APPROVAL_MISMATCH")
    assert.deepStrictEqual(problem.context, { members: [member] })
  })

  it.each(differing)("is refused when %s was altered after signing, and set right again", async (_, over) => {
    const approval = await signed(over)
    await refused(
      { ...approval, ...approvedStep(bot, plan, raw, approvedTimes(approval)) },
      "INVALID_OWNER_APPROVAL_SIGNATURE"
    )
  })

  const approvedTimes = ({ issuedAt, expiresAt, nonce }: Approved) => ({ issuedAt, expiresAt, nonce })

  it("is refused when window or nonce were altered after signing", async () => {
    const approval = await signed()
    await refused({ ...approval, issuedAt: approval.issuedAt - 1 }, "INVALID_OWNER_APPROVAL_SIGNATURE")
    await refused({ ...approval, expiresAt: approval.expiresAt + 1 }, "INVALID_OWNER_APPROVAL_SIGNATURE")
    await refused({ ...approval, nonce: freshNonce() }, "INVALID_OWNER_APPROVAL_SIGNATURE")
  })

  it("is refused when somebody else signed", async () => {
    const approved = approvedStep(bot, plan, raw)
    await refused(await signApproval(bot.key, bench.service, approved), "INVALID_OWNER_APPROVAL_SIGNATURE")
    await refused(await signApproval(newKey(), bench.service, approved), "INVALID_OWNER_APPROVAL_SIGNATURE")
  })

  it("is refused when it was signed for another audience or chain", async () => {
    const approved = approvedStep(bot, plan, raw)
    const elsewhere = await signApproval(owner.key, { audience: "http://localhost:1" }, approved)
    await refused(elsewhere, "INVALID_OWNER_APPROVAL_SIGNATURE")
    const { audience } = bench.service
    await refused(
      await signApproval(owner.key, { audience, chainId: 1 }, approved),
      "INVALID_OWNER_APPROVAL_SIGNATURE"
    )
  })

  it("is refused with the signature of an ordinary request of the owner", async () => {
    const target = `/api/v1/plans/${plan.id}/steps/0/submissions`
    const nonce = freshNonce()
    const { headers } = await signedInit(bench.service, owner, "POST", target, {
      body: { rawSignedTransaction: raw },
      idempotencyKey: freshNonce(),
      nonce
    })
    const approval = { ...approvedStep(bot, plan, raw, { nonce }), signature: headers["X-Service-Signature"] }
    await refused(approval, "INVALID_OWNER_APPROVAL_SIGNATURE")
  })
})

describe("an approval's shape", () => {
  it.each([null, 1, "yes", true, [], {}])("is refused as %s", async given => {
    await refused(given, "INVALID_OWNER_APPROVAL")
  })

  it("is refused with a member too many or too few, or of another type", async () => {
    const approval = await signed()
    await refused({ ...approval, isOwner: true }, "INVALID_OWNER_APPROVAL")
    for (const name of Object.keys(approval))
      await refused(
        Object.fromEntries(Object.entries(approval).filter(([key]) => key !== name)),
        "INVALID_OWNER_APPROVAL"
      )
    for (const over of [
      { stepIndex: "0" },
      { stepIndex: -1 },
      { stepIndex: 2 ** 32 },
      { stepIndex: 0.5 },
      { commitment: "0x11" },
      { nonce: "0x" },
      { issuedAt: String(approval.issuedAt) },
      { expiresAt: -1 },
      { signature: "0x" },
      { signature: "0xzz" }
    ])
      await refused({ ...approval, ...over }, "INVALID_OWNER_APPROVAL")
  })
})

describe("an approval's window", () => {
  afterEach(() => runClock(bench.service.databaseUrl))

  it("is at most 300 seconds and not inverted", async () => {
    const issuedAt = now()
    await refused(await signed({ issuedAt, expiresAt: issuedAt + 301 }), "INVALID_OWNER_APPROVAL")
    await refused(await signed({ issuedAt, expiresAt: issuedAt }), "INVALID_OWNER_APPROVAL")
    await refused(await signed({ issuedAt, expiresAt: issuedAt - 1 }), "INVALID_OWNER_APPROVAL")
  })

  it("must be open", async () => {
    const past = now() - 100
    await refused(await signed({ issuedAt: past, expiresAt: past + 50 }), "OWNER_APPROVAL_EXPIRED")
    await refused(await signed({ issuedAt: past, expiresAt: now() }), "OWNER_APPROVAL_EXPIRED")
    const future = now() + 40
    await refused(await signed({ issuedAt: future, expiresAt: future + 50 }), "OWNER_APPROVAL_EXPIRED")
  })

  it("is looked at again inside the claim", async () => {
    const expiresAt = now() + 20
    const approval = await signed({ issuedAt: expiresAt - 100, expiresAt })
    await whilePreflighted(expiresAt, () => refused(approval, "OWNER_APPROVAL_EXPIRED"))
  })

  it("may lie 30 seconds ahead and 300 seconds wide", async () => {
    const fresh = await planned(bench, owner, { by: bot })
    const bytes = await signCall(bench, owner, callOf(fresh), { nonce: 1 })
    const issuedAt = now() + 25
    const approved = approvedStep(bot, fresh, bytes, { issuedAt, expiresAt: issuedAt + 300 })
    const ownerApproval = await signApproval(owner.key, bench.service, approved)
    const answer = await submit(bench.service, bot, fresh, { rawSignedTransaction: bytes, ownerApproval })
    await assertProblem(answer, "NONCE_NOT_READY")
  })
})

describe("a good approval", () => {
  it("dispatches once, is kept, and is not needed to look at the outcome", async () => {
    const approval = await signed()
    const { dispatch } = await submitted(bench.service, bot, plan, {
      rawSignedTransaction: raw,
      ownerApproval: approval
    })
    assert.strictEqual(dispatch.status, "submitted")
    assert.deepStrictEqual(await approvals(plan.id), [
      { form: "owner-approval", signer: owner.key.address.toLowerCase(), nonce: approval.nonce }
    ])
    const again = await submitted(bench.service, bot, plan, { rawSignedTransaction: raw })
    assert.strictEqual(again.dispatch.count, 1)
    assert.strictEqual(timesSent(bench, raw), 1)
    await mine(bench)
    assert.strictEqual((await refreshed(bench.service, bot, plan)).status, "transactions_confirmed")
  })

  it("counts for its own step alone", async () => {
    const payer = await newPayer(bench)
    const helper = await newRelayBot(bench, payer)
    const pay = payment(bench, payer.key.address)
    const pair = await planned(bench, payer, { by: helper, calls: [pay, pay] })
    const bytes = await signCall(bench, payer, callOf(pair))
    const ownerApproval = await signApproval(payer.key, bench.service, approvedStep(helper, pair, bytes))
    const misplaced = await submit(
      bench.service,
      helper,
      pair,
      { rawSignedTransaction: bytes, ownerApproval },
      { step: 1 }
    )
    const problem = await assertProblem(misplaced, "OWNER_APPROVAL_MISMATCH")
    assert.deepStrictEqual(problem.context, { members: ["stepIndex"] })
    await submitted(bench.service, helper, pair, { rawSignedTransaction: bytes, ownerApproval })
  })

  it("is not asked for when the chain knows the hash already", async () => {
    const payer = await newPayer(bench)
    const helper = await newRelayBot(bench, payer)
    const seen = await planned(bench, payer, { by: helper })
    const bytes = await signCall(bench, payer, callOf(seen))
    await rpc(bench.chain.url, "eth_sendRawTransaction", [bytes])
    const { dispatch } = await submitted(bench.service, helper, seen, { rawSignedTransaction: bytes })
    assert.strictEqual(dispatch.status, "already-observed")
    assert.strictEqual(timesSent(bench, bytes), 0)
    assert.deepStrictEqual(await approvals(seen.id), [])
  })
})

describe("the owner's own request", () => {
  afterEach(() => runClock(bench.service.databaseUrl))

  it("is the approval, with its window", async () => {
    const payer = await newPayer(bench)
    const own = await planned(bench, payer)
    const bytes = await signCall(bench, payer, callOf(own))
    const nonce = freshNonce()
    await submitted(bench.service, payer, own, { rawSignedTransaction: bytes }, { nonce })
    assert.deepStrictEqual(await approvals(own.id), [
      { form: "owner-request", signer: payer.key.address.toLowerCase(), nonce }
    ])
  })

  it("approves nothing once its window is over, though the request was admitted in time", async () => {
    const payer = await newPayer(bench)
    const own = await planned(bench, payer)
    const bytes = await signCall(bench, payer, callOf(own))
    const window = { issuedAt: now() - 20, expiresAt: now() + 20 }
    const answer = await whilePreflighted(window.expiresAt, () =>
      submit(bench.service, payer, own, { rawSignedTransaction: bytes }, window)
    )
    await assertProblem(answer, "OWNER_APPROVAL_EXPIRED")
    assert.strictEqual(timesSent(bench, bytes), 0)
  })
})
