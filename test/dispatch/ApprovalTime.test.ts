/** When consent counts: by the database's clock, to the second, at the claim and not before it. */
import { afterAll, afterEach, assert, beforeEach, describe, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import { newBot } from "../support/Bots.ts"
import { runClock, stopClock } from "../support/DatabaseTime.ts"
import { startNodeGate } from "../support/NodeGate.ts"
import { callOf, payment, planned } from "../support/PlannedCalls.ts"
import { assertProblem, problemIn } from "../support/Problem.ts"
import { newPayer, newRelayBot, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { whileChainStands } from "../support/Relayed.ts"
import { chainSettings } from "../support/Sandbox.ts"
import { hashOf, signCall } from "../support/SignedCalls.ts"
import { type Party, signedFetch } from "../support/SignedFetch.ts"
import { connected, sqlOn } from "../support/Sql.ts"
import { type Approved, approvedStep, signApproval } from "../support/StepApproval.ts"
import { submit, submitted } from "../support/Submissions.ts"
import { until } from "../support/Until.ts"

interface Case {
  readonly owner: Party
  readonly bot: Party
  readonly plan: Plan
  readonly raw: `0x${string}`
}

const gate = await startNodeGate()
const bench = await startRelayBench({ settings: { chains: chainSettings(gate.url) } })
gate.to(bench.proxy.url)
await runClock(bench.service.databaseUrl)

afterAll(async () => {
  await bench.stop()
  await gate.stop()
})

const now = () => Math.floor(Date.now() / 1000)
const database = () => bench.service.databaseUrl

const prepare = async (): Promise<Case> => {
  const owner = await newPayer(bench)
  const bot = await newRelayBot(bench, owner)
  const plan = await planned(bench, owner, { by: bot })
  return { owner, bot, plan, raw: await signCall(bench, owner, callOf(plan)) }
}

const approve = ({ owner, bot, plan, raw }: Case, over: Partial<Approved> = {}) =>
  signApproval(owner.key, bench.service, approvedStep(bot, plan, raw, over))

const relay = async (made: Case, over: Partial<Approved> = {}) =>
  submit(bench.service, made.bot, made.plan, {
    rawSignedTransaction: made.raw,
    ownerApproval: await approve(made, over)
  })

const STORED = ["transport_bindings", "reserved_nonces", "dispatch_leases", "owner_approvals"]

const reservedNothing = async ({ plan, raw }: Case) => {
  assert.strictEqual(timesSent(bench, raw), 0)
  for (const table of STORED)
    assert.deepStrictEqual(await sqlOn(database(), `SELECT 1 FROM ${table} WHERE plan = $1`, [plan.id]), [])
  const keys = "SELECT 1 FROM idempotency_keys WHERE plan = $1 AND kind <> 'plan'"
  assert.deepStrictEqual(await sqlOn(database(), keys, [plan.id]), [])
}

const outcome = async (answer: Response) => (answer.ok ? answer.status : (await problemIn(answer)).code)

describe("the edges of the window", () => {
  afterEach(() => runClock(database()))

  const edges: ReadonlyArray<readonly [string, number, number, string | number]> = [
    ["ends a second ago", -100, -1, "OWNER_APPROVAL_EXPIRED"],
    ["ends now", -100, 0, "OWNER_APPROVAL_EXPIRED"],
    ["ends in a second", -100, 1, 202],
    ["begins 29 seconds ahead", 29, 60, 202],
    ["begins 30 seconds ahead", 30, 60, 202],
    ["begins 31 seconds ahead", 31, 60, "OWNER_APPROVAL_EXPIRED"],
    ["is 299 seconds wide", 0, 299, 202],
    ["is 300 seconds wide", 0, 300, 202],
    ["is 301 seconds wide", 0, 301, "INVALID_OWNER_APPROVAL"],
    ["is one second wide", 0, 1, 202],
    ["is empty", 0, 0, "INVALID_OWNER_APPROVAL"]
  ]
  it.each(edges)("one that %s", async (_, from, to, expected) => {
    const made = await prepare()
    const second = now()
    await stopClock(database(), second)
    const answer = await relay(made, { issuedAt: second + from, expiresAt: second + to })
    assert.strictEqual(await outcome(answer), expected)
    if (expected !== 202) await reservedNothing(made)
  })

  it.each([-50, 50])("are the database's, %i seconds from this process's", async ahead => {
    const made = await prepare()
    await runClock(database(), ahead)
    const here = await approve(made, { issuedAt: now(), expiresAt: now() + 30 })
    const there = await approve(made, { issuedAt: now() + ahead, expiresAt: now() + ahead + 30 })
    const answerTo = async (ownerApproval: unknown) => {
      const window = { issuedAt: now() + ahead, expiresAt: now() + ahead + 60 }
      const body = { rawSignedTransaction: made.raw, ownerApproval }
      return outcome(await submit(bench.service, made.bot, made.plan, body, window))
    }
    assert.strictEqual(await answerTo(here), "OWNER_APPROVAL_EXPIRED")
    await reservedNothing(made)
    assert.strictEqual(await answerTo(there), 202)
  })
})

describe("between preflight and claim", () => {
  afterEach(() => runClock(database()))

  /** Acts while the last answer of the preflight is on its way. */
  const meanwhile = async (submission: Promise<Response>, act: () => Promise<void>): Promise<Response> => {
    await gate.during("eth_estimateGas", act)
    return submission
  }

  it("an approval that runs out reserves nothing", async () => {
    const made = await prepare()
    const expiresAt = now() + 60
    const answer = await meanwhile(relay(made, { issuedAt: expiresAt - 100, expiresAt }), () =>
      stopClock(database(), expiresAt)
    )
    await assertProblem(answer, "OWNER_APPROVAL_EXPIRED")
    await reservedNothing(made)
  })

  it("an approval with a second left is good", async () => {
    const made = await prepare()
    const expiresAt = now() + 60
    const answer = await meanwhile(relay(made, { issuedAt: expiresAt - 100, expiresAt }), () =>
      stopClock(database(), expiresAt - 1)
    )
    assert.strictEqual(await outcome(answer), 202)
    assert.strictEqual(timesSent(bench, made.raw), 1)
  })

  it("the owner's own request that runs out reserves nothing", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    const raw = await signCall(bench, owner, callOf(plan))
    const window = { issuedAt: now() - 20, expiresAt: now() + 60 }
    const submission = submit(bench.service, owner, plan, { rawSignedTransaction: raw }, window)
    const answer = await meanwhile(submission, () => stopClock(database(), window.expiresAt))
    await assertProblem(answer, "OWNER_APPROVAL_EXPIRED")
    await reservedNothing({ owner, bot: owner, plan, raw })
  })

  it("a revocation reserves nothing, though the approval is good", async () => {
    const made = await prepare()
    const { owner, bot } = made
    const answer = await meanwhile(relay(made), async () => {
      const revoked = await signedFetch(
        bench.service,
        owner,
        "DELETE",
        `/api/v1/accounts/me/bots/${bot.grantId}`
      )
      assert.strictEqual(revoked.status, 200)
    })
    await assertProblem(answer, "FORBIDDEN")
    await reservedNothing(made)
  })

  it("a grant that runs out reserves nothing, though the approval is good", async () => {
    const owner = await newPayer(bench)
    const expiresAt = now() + 100
    const bot = await newBot(bench.service, owner, { scopes: ["read", "plan", "relay"], expiresAt })
    const plan = await planned(bench, owner, { by: bot })
    const made: Case = { owner, bot, plan, raw: await signCall(bench, owner, callOf(plan)) }
    const answer = await meanwhile(relay(made), () => stopClock(database(), expiresAt))
    await assertProblem(answer, "FORBIDDEN")
    await reservedNothing(made)
  })

  it("a plan that runs out reserves nothing, though the approval is good", async () => {
    const made = await prepare()
    const end = now() + 60
    await sqlOn(database(), "UPDATE plans SET expires_at = $2 WHERE id = $1", [made.plan.id, end * 1000])
    const answer = await meanwhile(relay(made), () => stopClock(database(), end))
    await assertProblem(answer, "PLAN_EXPIRED")
    await reservedNothing(made)
  })
})

/** Another transaction holds what the claim needs, while the claim is already under its locks. */
describe("inside the claim", () => {
  let made: Case

  beforeEach(async () => {
    made = await prepare()
  })
  afterEach(() => runClock(database()))

  const blocked = () =>
    sqlOn(
      database(),
      `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    )

  /** Reserves the wallet's nonce for nobody, lets the claim wait for the outcome, acts, and gives the nonce up again. */
  const whileNonceIsContested = async (submission: () => Promise<Response>, act: () => Promise<void>) => {
    const elsewhere = await prepare()
    const rival = await connected(database())
    await rival.query("BEGIN")
    await rival.query(
      "INSERT INTO reserved_nonces SELECT 'eip155:31337:' || $1, '0', plan, step FROM plan_steps WHERE plan = $2",
      [made.owner.key.address.toLowerCase(), elsewhere.plan.id]
    )
    const answer = submission()
    await until(blocked, rows => rows.length > 0)
    await act()
    await rival.query("ROLLBACK")
    await rival.end()
    return answer
  }

  it("an approval that runs out while the claim waits for the nonce reserves nothing", async () => {
    const expiresAt = now() + 60
    const approval = { issuedAt: expiresAt - 100, expiresAt }
    const answer = await whileNonceIsContested(
      () => relay(made, approval),
      () => stopClock(database(), expiresAt)
    )
    await assertProblem(answer, "OWNER_APPROVAL_EXPIRED")
    await reservedNothing(made)
  })

  it("an approval that outlives the wait is good", async () => {
    const answer = await whileNonceIsContested(
      () => relay(made),
      () => Promise.resolve()
    )
    assert.strictEqual(await outcome(answer), 202)
    assert.strictEqual(timesSent(bench, made.raw), 1)
  })
})

describe("many approvals at once", () => {
  it("each counts for its own step and request", async () => {
    const owner = await newPayer(bench)
    const bots = await Promise.all([1, 2, 3].map(() => newRelayBot(bench, owner)))
    const pay = payment(bench, owner.key.address)
    const cases = await Promise.all(
      bots.map(async bot => {
        const plan = await planned(bench, owner, { by: bot, calls: [pay, pay] })
        return { owner, bot, plan, raw: await signCall(bench, owner, callOf(plan), { nonce: 0 }) }
      })
    )
    const consents = await Promise.all(cases.map(made => approve(made)))
    const cells = cases.flatMap((made, at) =>
      consents.flatMap((ownerApproval, from) =>
        [0, 1].map(step => ({ made, ownerApproval, step, isOwn: at === from && step === 0 }))
      )
    )
    const answers = await Promise.all(
      cells
        .filter(({ isOwn }) => !isOwn)
        .map(({ made, ownerApproval, step }) =>
          submit(
            bench.service,
            made.bot,
            made.plan,
            { rawSignedTransaction: made.raw, ownerApproval },
            { step }
          )
        )
    )
    for (const answer of answers) await assertProblem(answer, "OWNER_APPROVAL_MISMATCH")
    for (const made of cases) await reservedNothing(made)
  })

  it("may be shown again within its window, and still sends once", async () => {
    const made = await prepare()
    const ownerApproval = await approve(made)
    const body = { rawSignedTransaction: made.raw, ownerApproval }
    await whileChainStands(bench, async () => {
      await Promise.all(Array.from({ length: 6 }, () => submitted(bench.service, made.bot, made.plan, body)))
    })
    assert.strictEqual(timesSent(bench, made.raw), 1)
    const kept = await sqlOn(database(), "SELECT hash FROM owner_approvals WHERE plan = $1", [made.plan.id])
    assert.deepStrictEqual(kept, [{ hash: hashOf(made.raw) }])
  })
})
