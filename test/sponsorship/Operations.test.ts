/** Which operations' plans may be sponsored: what the review says of each call before anything is signed, and what the service and the contracts say. */
import { afterAll, assert, describe, it } from "vitest"
import { sandboxUsdOf } from "../../sandbox/families/routing.ts"
import { createClient } from "../../src/client/Client.ts"
import { type PrepareId, planIds } from "../../src/operations/generated/OperationIds.ts"
import type { Plan } from "../../src/plans/Plan.ts"
import { contractsOf } from "../../src/review/GatherFacts.ts"
import { reviewPlan } from "../../src/review/PlanReview.ts"
import { sentence } from "../../src/review/Words.ts"
import { PLAN_INPUTS } from "../operations/support/PlanInputs.ts"
import { prepared, startPlanBench } from "../support/PlanBench.ts"
import type { Party } from "../support/SignedFetch.ts"
import { askSponsorship, sponsoring } from "./support/Sponsored.ts"

const bench = await startPlanBench({ settings: { sponsorship: sponsoring({ maximumFunding: 10n ** 24n }) } })
const { service, projectOwner, holder } = bench

afterAll(() => bench.stop())

const planOf = async (id: PrepareId, over: object = {}) => {
  const { account, input } = PLAN_INPUTS[id] ?? assert.fail(`nothing asks ${id}`)
  const party = account === 0 ? projectOwner : holder
  const asked = typeof input === "function" ? await input(bench) : input
  return { party, plan: await prepared(bench, party, id, { ...asked, ...over }) }
}

/** Of each call, whether the review says that somebody else may pay its gas. */
const saidOf = async (party: Party, plan: Plan): Promise<ReadonlyArray<string>> => {
  const { url, audience } = service
  const client = createClient({ baseUrl: url, audience, account: party.accountId, signer: party.key })
  const review = reviewPlan(plan, {
    asked: plan.id,
    committedFor: undefined,
    contracts: await contractsOf(client.catalog, plan),
    chains: new Map(),
    tokens: new Map(),
    clones: new Map(),
    now: plan.createdAt
  })
  return review.calls.map(({ rows }) => {
    const gas = rows.find(({ name }) => name === "gas") ?? assert.fail("no row says who pays")
    return /^paid by the wallet, or by somebody else: /.test(sentence(gas.value)) ? "anybody" : "wallet"
  })
}

const answered = async (party: Party, { id }: Plan): Promise<string> => {
  const answer = await askSponsorship(service, party, { planId: id })
  return answer.status === 201 ? "prepared" : String(Object(await answer.json()).code)
}

/** What the review says of its calls, and what comes of asking for a sponsorship. */
const STATED: { readonly [Id in PrepareId]: readonly [said: ReadonlyArray<string>, answered: string] } = {
  prepare_pay: [["anybody"], "prepared"],
  prepare_cash_out: [["anybody"], "prepared"],
  prepare_payout: [["anybody"], "prepared"],
  prepare_ruleset_change: [["anybody"], "prepared"],
  prepare_launch: [["anybody"], "prepared"],
  prepare_borrow: [["anybody"], "prepared"],
  prepare_repay: [["anybody"], "prepared"],
  prepare_bridge_claim: [["anybody"], "prepared"],
  prepare_accounting_sync: [["anybody"], "prepared"],
  prepare_buyback_pool: [["anybody"], "prepared"],
  prepare_buyback_twap: [["anybody"], "prepared"],
  prepare_buyback_hook: [["anybody"], "prepared"],
  prepare_router_terminal: [["anybody"], "prepared"],
  prepare_721_pay: [["anybody"], "prepared"],
  prepare_adjust_tiers: [["anybody"], "prepared"],
  prepare_721_launch: [["anybody"], "prepared"],
  prepare_revnet_deploy: [["anybody"], "prepared"],
  prepare_auto_issue: [["anybody"], "prepared"]
}

describe("a plan of an operation", { timeout: 120_000 }, () => {
  for (const id of planIds)
    it(`of ${id} is sponsored as its review says`, async () => {
      const { party, plan } = await planOf(id)
      assert.deepStrictEqual([await saidOf(party, plan), await answered(party, plan)], [...STATED[id]])
    })

  it("that allows a token first is not, before that allowance is there", async () => {
    const { party, plan } = await planOf("prepare_pay", {
      project: { chainId: 31_337, projectId: "6" },
      token: sandboxUsdOf({ holder: holder.key.address }),
      amount: "25000000"
    })
    assert.deepStrictEqual(await saidOf(party, plan), ["wallet", "anybody"])
    assert.strictEqual(await answered(party, plan), "FORWARDER_TARGET_UNTRUSTED")
  })
})
