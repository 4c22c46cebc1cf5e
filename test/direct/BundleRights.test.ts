import { afterAll, assert, describe, it } from "vitest"
import { newBot } from "../support/Bots.ts"
import { approvedItems, bundled, bundleOf, courseOf, postBundle } from "../support/Bundles.ts"
import { assertProblem } from "../support/Problem.ts"
import { newRelayBot, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { holdAnswer, rawOf } from "../support/Relayed.ts"
import { freshNonce, type Party, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { approvedStep, signApproval } from "../support/StepApproval.ts"

const bench = await startRelayBench()

afterAll(() => bench.stop())

const relayBot = (owner: Party) => newRelayBot(bench, owner)

const botBundle = async (dependencies: ReadonlyArray<ReadonlyArray<number>> = [[], []]) => {
  const { owner, party: bot, plan, items } = await bundleOf(bench, dependencies, relayBot)
  return { owner, bot, plan, items, approved: await approvedItems(bench, owner, bot, plan, items) }
}

describe("a bot's bundle", () => {
  it("needs the owner's approval for each item that is to be dispatched", async () => {
    const { bot, plan, items, approved } = await botBundle()
    const answer = await bundled(bench.service, bot, plan, [approved[0], items[1]])
    assert.deepStrictEqual(courseOf(answer), {
      complete: false,
      done: [0],
      stoppedAt: 1,
      code: "OWNER_APPROVAL_REQUIRED",
      remaining: [1]
    })
    assert.strictEqual(timesSent(bench, rawOf(items, 1)), 0)
    const rest = await bundled(bench.service, bot, plan, [items[0], approved[1]])
    assert.deepStrictEqual(courseOf(rest), { complete: true, done: [0, 1] })
    for (const { rawSignedTransaction } of items)
      assert.strictEqual(timesSent(bench, rawSignedTransaction), 1)
  })

  it("takes no approval for another step, other bytes or another plan", async () => {
    const { owner, bot, plan, items, approved } = await botBundle()
    const [first, second] = items
    const others = [
      approved[0]?.ownerApproval,
      await signApproval(
        owner.key,
        bench.service,
        approvedStep(bot, plan, rawOf(items, 0), { stepIndex: 1 })
      ),
      await signApproval(
        owner.key,
        bench.service,
        approvedStep(bot, plan, rawOf(items, 1), { stepIndex: 1, planId: freshNonce().slice(2, 38) })
      )
    ]
    for (const ownerApproval of others) {
      const answer = await bundled(bench.service, bot, plan, [
        approved[0] ?? first,
        { ...second, ownerApproval }
      ])
      assert.deepStrictEqual(courseOf(answer), {
        complete: false,
        done: [0],
        stoppedAt: 1,
        code: "OWNER_APPROVAL_MISMATCH",
        remaining: [1]
      })
    }
    assert.strictEqual(timesSent(bench, rawOf(items, 1)), 0)
  })

  it("takes no approval by another signer, nor one whose time is over", async () => {
    const { owner, bot, plan, items } = await botBundle([[]])
    const [item] = items
    const approval = approvedStep(bot, plan, rawOf(items, 0))
    const now = Math.floor(Date.now() / 1000)
    const spent = approvedStep(bot, plan, rawOf(items, 0), { issuedAt: now - 200, expiresAt: now - 1 })
    const cases = [
      [await signApproval(bot.key, bench.service, approval), "INVALID_OWNER_APPROVAL_SIGNATURE"],
      [await signApproval(owner.key, bench.service, spent), "OWNER_APPROVAL_EXPIRED"]
    ] as const
    for (const [ownerApproval, code] of cases) {
      const answer = await bundled(bench.service, bot, plan, [{ ...item, ownerApproval }])
      assert.strictEqual(answer.error?.code, code)
    }
    assert.strictEqual(timesSent(bench, rawOf(items, 0)), 0)
  })

  it("is refused whole when an approval is misshapen", async () => {
    const { bot, plan, items, approved } = await botBundle()
    const answer = await postBundle(bench.service, bot, plan, [
      approved[0],
      { ...items[1], ownerApproval: {} }
    ])
    const { context } = await assertProblem(answer, "INVALID_BUNDLE")
    assert.deepInclude(context, { item: 1, code: "INVALID_OWNER_APPROVAL" })
    assert.strictEqual(timesSent(bench, rawOf(items, 0)), 0)
  })

  it("needs the relay scope, whatever the owner approved", async () => {
    const { owner, plan, items } = await botBundle()
    for (const scopes of [["read"], ["read", "plan"]]) {
      const weak = await newBot(bench.service, owner, { scopes })
      const approved = await approvedItems(bench, owner, weak, plan, items)
      await assertProblem(await postBundle(bench.service, weak, plan, approved), "FORBIDDEN")
    }
    assert.strictEqual(timesSent(bench, rawOf(items, 0)), 0)
  })

  it("stops when its grant is revoked between two items, with what was done", async () => {
    const { owner, bot, plan, items, approved } = await botBundle()
    const broadcast = holdAnswer(bench, "eth_sendRawTransaction")
    const answering = bundled(bench.service, bot, plan, approved)
    await broadcast.reached
    assert.strictEqual(timesSent(bench, rawOf(items, 0)), 1)
    const revoked = `/api/v1/accounts/me/bots/${bot.grantId}`
    assert.strictEqual((await signedFetch(bench.service, owner, "DELETE", revoked)).status, 200)
    broadcast.letGo()
    assert.deepStrictEqual(courseOf(await answering), {
      complete: false,
      done: [0],
      stoppedAt: 1,
      code: "FORBIDDEN",
      remaining: [1]
    })
    assert.strictEqual(timesSent(bench, rawOf(items, 1)), 0)
  })
})

describe("another principal's plan", () => {
  it("is no plan to a bundle: not to another bot, not to the owner who sees it, not to a bot for the owner's", async () => {
    const { owner, plan, items } = await botBundle([[]])
    const twin = await relayBot(owner)
    const approved = await approvedItems(bench, owner, twin, plan, items)
    await assertProblem(await postBundle(bench.service, twin, plan, approved), "PLAN_NOT_FOUND")
    await assertProblem(await postBundle(bench.service, owner, plan, items), "PLAN_NOT_FOUND")
    const own = await bundleOf(bench, [[]])
    const bot = await relayBot(own.owner)
    const theirs = await approvedItems(bench, own.owner, bot, own.plan, own.items)
    await assertProblem(await postBundle(bench.service, bot, own.plan, theirs), "PLAN_NOT_FOUND")
    assert.strictEqual(timesSent(bench, rawOf(items, 0)) + timesSent(bench, rawOf(own.items, 0)), 0)
  })
})

describe("the owner's own bundle", () => {
  it("is the approval of each of its items, and the audit says so", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[], []])
    assert.isTrue((await bundled(bench.service, owner, plan, items)).complete)
    const audit = await sqlOn(
      bench.service.databaseUrl,
      "SELECT step, form, signer FROM owner_approvals WHERE plan = $1 ORDER BY step",
      [plan.id]
    )
    const signer = owner.key.address.toLowerCase()
    assert.deepStrictEqual(audit, [
      { step: 0, form: "owner-request", signer },
      { step: 1, form: "owner-request", signer }
    ])
  })
})
