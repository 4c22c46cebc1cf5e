/** A sponsorship that was published before the database was restored from a backup, which knows nothing of a payment since. */
import { afterAll, assert, describe, it } from "vitest"
import type { Sponsorship } from "../../src/sponsorship/Sponsorship.ts"
import { arm } from "../provider/support/Provider.ts"
import { callOf, planned } from "../support/PlannedCalls.ts"
import { problemIn } from "../support/Problem.ts"
import { newPayer, timesSent } from "../support/RelayBench.ts"
import { sendDirectly } from "../support/Relayed.ts"
import { signCall } from "../support/SignedCalls.ts"
import { freshNonce, type Party, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { submit } from "../support/Submissions.ts"
import { look, oncePublished, publishedAnew, startQuotedBench } from "./support/Quoted.ts"
import { askPublication, signAll } from "./support/Signing.ts"
import { askSponsorship, sponsorshipFor } from "./support/Sponsored.ts"

const bench = await startQuotedBench()
const { provider, service } = bench

afterAll(() => bench.stop())

const PUBLISHED_PERHAPS = {
  kind: "none",
  reason:
    "it may have been published before the service was restored from a backup: before anything is done in its place, look whether its forwarders have used the nonces of its requests, and whether the provider has its bundle; what they have not executed can be until its deadline is over in a final block"
} as const

const restored = async () => {
  await sqlOn(service.databaseUrl, "SELECT mark_restored(true)")
  await sqlOn(service.databaseUrl, "UPDATE restorations SET requests_after = 0")
}

const quoted = async () => {
  await arm(provider, { lie: "executes-never", path: "publication" })
  const { owner, sponsorship } = await publishedAnew(bench)
  return { owner, sponsorship: await oncePublished(bench, owner, sponsorship, undefined) }
}

const fund = (owner: Party, { id }: Sponsorship) =>
  signedFetch(service, owner, "POST", `/api/v1/sponsorships/${id}/funding-plans`, {
    body: { chainId: 31337, payer: owner.key.address },
    idempotencyKey: freshNonce()
  })

const actionOf = async (owner: Party, sponsorship: Sponsorship) =>
  (await look(bench, owner, sponsorship)).nextAction

it("asks for no payment, and no plan for one is prepared", async () => {
  const { owner, sponsorship } = await quoted()
  assert.strictEqual(sponsorship.nextAction.kind, "fund")
  const planned = await fund(owner, sponsorship)
  assert.strictEqual(planned.status, 201)
  const plan = await planned.json()
  assert.strictEqual((await actionOf(owner, sponsorship)).kind, "submit")
  await restored()

  const { kind, reason } = await actionOf(owner, sponsorship)
  assert.strictEqual(kind, "wait")
  assert.include(reason, "restored from a backup")
  const { code, detail } = await problemIn(await fund(owner, sponsorship))
  assert.strictEqual(code, "SPONSORSHIP_CONFLICT")
  assert.include(detail, "restored from a backup")
  const rawSignedTransaction = await signCall(bench, owner, callOf(plan))
  const refused = await submit(service, owner, plan, { rawSignedTransaction })
  assert.strictEqual((await problemIn(refused)).code, "PLAN_EXPIRED")
  assert.strictEqual(timesSent(bench, rawSignedTransaction), 0)
})

it("takes up a payment that left since its backup, and sends nothing", async () => {
  const { owner, sponsorship } = await quoted()
  const plan = await (await fund(owner, sponsorship)).json()
  await restored()
  const rawSignedTransaction = await signCall(bench, owner, callOf(plan))
  await sendDirectly(bench, rawSignedTransaction)
  const taken = await submit(service, owner, plan, { rawSignedTransaction })
  assert.strictEqual(taken.status, 202, await taken.clone().text())
  assert.strictEqual(timesSent(bench, rawSignedTransaction), 0)
  assert.deepStrictEqual(await actionOf(owner, sponsorship), {
    kind: "wait",
    retryAfterMs: 2_000,
    reason: "its payment left and is not proved yet: it is paid for once"
  })
})

it("is paid for as ever where it was published after it", async () => {
  await restored()
  const { owner, sponsorship } = await quoted()
  assert.deepStrictEqual(await actionOf(owner, sponsorship), { kind: "fund" })
  assert.strictEqual((await fund(owner, sponsorship)).status, 201)
})

const prepared = async () => {
  const owner = await newPayer(bench)
  const plan = await planned(bench, owner)
  return { owner, plan, sponsorship: await sponsorshipFor(service, owner, plan) }
}

describe("one that was prepared before it, whose publication it may have lost,", () => {
  it("is not said to be prepared again, but what to look for first", async () => {
    const { owner, sponsorship } = await prepared()
    await restored()
    const { state, nextAction, economicCompletion } = await look(bench, owner, sponsorship)
    assert.deepStrictEqual({ state, nextAction }, { state: "expired", nextAction: PUBLISHED_PERHAPS })
    assert.strictEqual(economicCompletion, "pending")
  })

  it("is refused with what to look for first", async () => {
    const { owner, sponsorship } = await prepared()
    await restored()
    const signatures = await signAll(owner.key, sponsorship)
    const { code, detail } = await problemIn(
      await askPublication(service, owner, sponsorship, { signatures })
    )
    assert.strictEqual(code, "SPONSORSHIP_EXPIRED")
    assert.include(detail, "restored from a backup")
    assert.notInclude(detail, "prepare again")
  })

  it("is followed by no other one of its plan, but by what to look for first", async () => {
    const { owner, plan } = await prepared()
    await restored()
    const refused = await askSponsorship(service, owner, { planId: plan.id, stepIndexes: [0] })
    const { code, detail, context } = await problemIn(refused)
    assert.strictEqual(code, "PLAN_EXPIRED")
    assert.include(detail, "restored from a backup")
    assert.isNumber(context?.restoredAt)
  })

  it("is as ever where its step is known to have left by another way", async () => {
    const { owner, plan, sponsorship } = await prepared()
    const rawSignedTransaction = await signCall(bench, owner, callOf(plan))
    assert.strictEqual((await submit(service, owner, plan, { rawSignedTransaction })).status, 202)
    await restored()
    assert.deepStrictEqual(await actionOf(owner, sponsorship), {
      kind: "none",
      reason: "steps of it have left by another way: their plan says which"
    })
  })
})
