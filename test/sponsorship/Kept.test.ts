/** What is stored of prepared sponsorships: once for a key, for whoever may see it, within the bounds of its account. */
import { afterAll, assert, describe, it } from "vitest"
import type { Sponsorship } from "../../src/sponsorship/Sponsorship.ts"
import { revokeBot } from "../support/Bots.ts"
import { planned, requestPlan } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import { newPayer, newRelayBot } from "../support/RelayBench.ts"
import { freshNonce, type Party, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { askSponsorship, sponsoring, sponsorshipFor, startSponsoringBench } from "./support/Sponsored.ts"

const bench = await startSponsoringBench()
const { service } = bench

afterAll(() => bench.stop())

const sql = (text: string, values: ReadonlyArray<unknown> = []) => sqlOn(service.databaseUrl, text, values)

describe("a key", () => {
  it("gives the stored sponsorship again, byte for byte and without its chain", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    const idempotencyKey = freshNonce()
    const first = await askSponsorship(service, owner, { planId: plan.id }, { idempotencyKey })
    const seen = bench.proxy.records.length
    const again = await askSponsorship(service, owner, { planId: plan.id }, { idempotencyKey })
    assert.strictEqual(bench.proxy.records.length, seen)
    assert.deepStrictEqual([first.status, again.status], [201, 201])
    assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
    assert.strictEqual(first.headers.get("idempotent-replayed"), null)
    const text = await first.text()
    assert.strictEqual(await again.text(), text)
    assert.strictEqual(first.headers.get("location"), `/api/v1/sponsorships/${JSON.parse(text).id}`)
    const other = { planId: plan.id, stepIndexes: [0] }
    await assertProblem(
      await askSponsorship(service, owner, other, { idempotencyKey }),
      "IDEMPOTENCY_CONFLICT"
    )
    await assertProblem(await requestPlan(service, owner, {}, { idempotencyKey }), "IDEMPOTENCY_CONFLICT")
  })

  it("leads to one sponsorship however many ask with it at once", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    const idempotencyKey = freshNonce()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        askSponsorship(service, owner, { planId: plan.id }, { idempotencyKey })
      )
    )
    const records: ReadonlyArray<Sponsorship> = await Promise.all(answers.map(answer => answer.json()))
    assert.strictEqual(new Set(records.map(({ id }) => id)).size, 1)
    const fresh = answers.filter(({ headers }) => headers.get("idempotent-replayed") === null)
    assert.strictEqual(fresh.length, 1)
    const rows = await sql("SELECT 1 FROM sponsorships WHERE plan = $1", [plan.id])
    assert.strictEqual(rows.length, 1)
  })

  it("is kept by no request that was refused", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    const idempotencyKey = freshNonce()
    const wrong = { planId: plan.id, stepIndexes: [7] }
    await assertProblem(await askSponsorship(service, owner, wrong, { idempotencyKey }), "STEP_NOT_FOUND")
    const right = await askSponsorship(service, owner, { planId: plan.id }, { idempotencyKey })
    assert.strictEqual(right.status, 201)
  })
})

describe("who sees it", () => {
  it("the owner all, a bot its own, and a stranger none, whatever is asked for", async () => {
    const owner = await newPayer(bench)
    const [bot, other] = [await newRelayBot(bench, owner), await newRelayBot(bench, owner)]
    const stranger = await newPayer(bench)
    const own = await sponsorshipFor(service, owner, await planned(bench, owner))
    const bots = await sponsorshipFor(service, bot, await planned(bench, owner, { by: bot }))
    const show = (party: Party, id: string) =>
      signedFetch(service, party, "GET", `/api/v1/sponsorships/${id}`)
    const list = async (party: Party) => {
      const answer = await signedFetch(service, party, "GET", "/api/v1/sponsorships")
      const { items }: { items: ReadonlyArray<Sponsorship> } = await answer.json()
      return items.map(({ id }) => id)
    }
    assert.deepStrictEqual(await (await show(owner, bots.id)).json(), bots)
    assert.deepStrictEqual(await (await show(bot, bots.id)).json(), bots)
    await assertProblem(await show(bot, own.id), "SPONSORSHIP_NOT_FOUND")
    await assertProblem(await show(other, bots.id), "SPONSORSHIP_NOT_FOUND")
    await assertProblem(await show(stranger, own.id), "SPONSORSHIP_NOT_FOUND")
    await assertProblem(await show(owner, "00000000-0000-4000-8000-000000000000"), "SPONSORSHIP_NOT_FOUND")
    assert.deepStrictEqual(await list(owner), [bots.id, own.id])
    assert.deepStrictEqual(await list(bot), [bots.id])
    assert.deepStrictEqual(await list(other), [])
    await revokeBot(service, owner, bot)
    assert.deepStrictEqual(await (await show(owner, bots.id)).json(), bots)
  })

  it("page by page, of one plan where that is asked for", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    await sponsorshipFor(service, owner, await planned(bench, owner))
    const made = [
      await sponsorshipFor(service, owner, plan),
      await sponsorshipFor(service, owner, plan),
      await sponsorshipFor(service, owner, plan)
    ]
    const page = async (query: string) => {
      const answer = await signedFetch(service, owner, "GET", `/api/v1/sponsorships?${query}`)
      assert.strictEqual(answer.status, 200)
      return answer.json()
    }
    const first = await page(`planId=${plan.id}&limit=2`)
    const rest = await page(`planId=${plan.id}&limit=2&cursor=${encodeURIComponent(first.nextCursor)}`)
    assert.deepStrictEqual([...first.items, ...rest.items], made.toReversed())
    assert.strictEqual(rest.nextCursor, null)
    const elsewhere = `/api/v1/sponsorships?limit=2&cursor=${encodeURIComponent(first.nextCursor)}`
    await assertProblem(await signedFetch(service, owner, "GET", elsewhere), "INVALID_PARAMETER")
  })
})

describe("an account", () => {
  it("keeps no more than it may, and the last of them for the owner", async () => {
    const small = await startSponsoringBench({ recordsPerAccount: 33 })
    try {
      const owner = await newPayer(small)
      const bot = await newRelayBot(small, owner)
      const plan = await planned(small, owner, { by: bot })
      await sponsorshipFor(small.service, bot, plan)
      const limited = await assertProblem(
        await askSponsorship(small.service, bot, { planId: plan.id }),
        "STORAGE_LIMIT"
      )
      assert.deepStrictEqual(limited.context, { limit: "sponsorships" })
      const own = await planned(small, owner)
      await sponsorshipFor(small.service, owner, own)
      await sqlOn(
        small.service.databaseUrl,
        `INSERT INTO sponsorships (id, account, principal, plan, authorizations, commitment, created_at, expires_at)
         SELECT gen_random_uuid(), account, principal, plan, authorizations, commitment, created_at, expires_at
         FROM sponsorships, generate_series(1, 31) WHERE plan = $1`,
        [own.id]
      )
      await assertProblem(await askSponsorship(small.service, owner, { planId: own.id }), "STORAGE_LIMIT")
      await sqlOn(small.service.databaseUrl, "UPDATE plans SET archived_at = 1 WHERE id = $1", [plan.id])
      await sponsorshipFor(small.service, owner, own)
    } finally {
      await small.stop()
    }
  })
})

describe("a service without a provider", () => {
  it("sponsors nothing and says so, while what it has is shown", async () => {
    const owner = await newPayer(bench)
    const plan = await planned(bench, owner)
    const idempotencyKey = freshNonce()
    const made = await askSponsorship(service, owner, { planId: plan.id }, { idempotencyKey })
    const record: Sponsorship = await made.json()
    const chains = [{ chainId: 31337, state: "available" }]
    const offered = await (await fetch(`${service.url}/api/v1/capabilities`)).json()
    assert.deepInclude(offered.sponsorship, { transport: "forwarder-prepaid-erc2771", chains })
    const { transports } = offered.transactions
    assert.deepStrictEqual(transports, ["signed-eoa-transaction", "forwarder-prepaid-erc2771"])
    const without = await bench.replica({ sponsorship: sponsoring({ providerUrl: undefined }) })
    try {
      const told = await (await fetch(`${without.url}/api/v1/capabilities`)).json()
      assert.deepStrictEqual(told.sponsorship, { state: "unavailable" })
      assert.deepStrictEqual(told.transactions.transports, ["signed-eoa-transaction"])
      await assertProblem(
        await askSponsorship(without, owner, { planId: plan.id }),
        "SPONSORSHIP_UNAVAILABLE"
      )
      const again = await askSponsorship(without, owner, { planId: plan.id }, { idempotencyKey })
      assert.deepStrictEqual(await again.json(), record)
    } finally {
      await without.stop()
    }
  })
})
