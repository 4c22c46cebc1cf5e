import { afterAll, assert, describe, it } from "vitest"
import { sandboxUsdOf } from "../../sandbox/families/routing.ts"
import { createClient } from "../../src/client/Client.ts"
import { committedFor } from "../../src/client/Commitment.ts"
import { type PrepareId, planIds } from "../../src/operations/generated/OperationIds.ts"
import type { Plan } from "../../src/plans/Plan.ts"
import type { TokenFacts } from "../../src/review/Amounts.ts"
import {
  clonesOf,
  contractsOf,
  projectTokensOf,
  proveClone,
  readToken,
  tokensOf
} from "../../src/review/GatherFacts.ts"
import { reviewPlan } from "../../src/review/PlanReview.ts"
import { sentence } from "../../src/review/Words.ts"
import { PLAN_INPUTS } from "../operations/support/PlanInputs.ts"
import { prepared, startPlanBench } from "../support/PlanBench.ts"
import { type CallInput, payment, planned } from "../support/PlannedCalls.ts"
import { contractId, NATIVE_TOKEN } from "../support/Sandbox.ts"
import type { Party } from "../support/SignedFetch.ts"

const bench = await startPlanBench()

afterAll(() => bench.stop())

const { projectOwner, holder } = bench
const USD = sandboxUsdOf({ holder: holder.key.address })

/** Addresses by the names that the sandbox has for them. */
const named = (text: string): string =>
  [
    ...bench.manifest.deployments.map(({ alias, address }) => [address, alias] as const),
    [projectOwner.key.address, "owner"] as const,
    [holder.key.address, "holder"] as const,
    [USD, "USD"] as const
  ]
    .reduce((told, [address, name]) => told.replaceAll(new RegExp(address, "gi"), `<${name}>`), text)
    .replace(/(?<=bridge |shop )0x[0-9a-fA-F]{40}/, "<clone>")
    .replace(/(?<=the id )0x[0-9a-f]{8}\b/, "<id>")
    .replace(/(?<=stage )[0-9]+/, "<time>")

const told = async (party: Party, plan: Plan): Promise<string> => {
  const { service } = bench
  const client = createClient({
    baseUrl: service.url,
    audience: service.audience,
    account: party.accountId,
    signer: { address: party.key.address, signTypedData: payload => party.key.signTypedData(payload) }
  })
  const contracts = await contractsOf(client.catalog, plan)
  const tokens = new Map<string, TokenFacts | undefined>()
  for (const token of [...tokensOf(contracts, plan), ...projectTokensOf(contracts, plan)])
    tokens.set(token.key, await readToken(client.contracts, token))
  const clones = new Map<string, boolean>()
  for (const clone of clonesOf(contracts, plan))
    clones.set(clone.key, await proveClone(client.contracts, clone))
  const review = reviewPlan(plan, {
    asked: plan.id,
    committedFor: await committedFor(plan, party.accountId, [`owner:${party.accountId}`]),
    contracts,
    chains: new Map(),
    tokens,
    clones,
    now: plan.createdAt
  })
  assert.deepStrictEqual(review.dangers, [])
  return named(sentence(review.sentence))
}

const operation = async (id: PrepareId, over: object = {}): Promise<string> => {
  const { account, input } = PLAN_INPUTS[id] ?? assert.fail(`nothing asks ${id}`)
  const party = account === 0 ? projectOwner : holder
  const asked = typeof input === "function" ? await input(bench) : input
  return told(party, await prepared(bench, party, id, { ...asked, ...over }))
}

const SENTENCES: { readonly [Id in PrepareId]: string } = {
  prepare_pay: 'You pay 1 ETH to project 2 "Demo Token" and get at least 792 "DEMO"; 100 % go to you.',
  prepare_cash_out:
    'You cash out 1 "DEMO" of project 2 "Demo Token" and get at least 0.0003861 ETH; 100 % go to you.',
  prepare_payout:
    'You have project 2 "Demo Token" pay out 0.000000001 ETH to whoever its payout splits name when it runs, and what they leave to whoever owns it.',
  prepare_ruleset_change:
    'You queue 1 ruleset for project 2 "Demo Token", to start once the ruleset before it lets it.',
  prepare_launch: "You launch a project owned by <holder>, with 1 ruleset and no terminals.",
  prepare_borrow:
    'You borrow at least 0.0801801 ETH before fees against 100 "REVNET" of project 4 "Sandbox Revnet", which are burned; 100 % of the loan go to you.',
  prepare_repay:
    'You repay loan 4000000000000000001 of project 4 "Sandbox Revnet" with at most 1 ETH; 250 "REVNET" of its collateral go to you.',
  prepare_bridge_claim:
    "You claim 1000 tokens that came over the bridge <clone>; 100 % go to you, and 1 ETH go to the balance of its project.",
  prepare_accounting_sync: "You have the bridge <clone> tell its other chain the accounts of its project.",
  prepare_buyback_pool:
    'You choose for project 6 "Routed Token", for good, a pool of ETH with a fee of 1 % to buy its tokens back at prices averaged over 1800 seconds.',
  prepare_buyback_twap:
    'You have project 6 "Routed Token" buy its tokens back for token <USD> at prices averaged over 900 seconds.',
  prepare_buyback_hook: 'You make <JBBuybackHook> the buyback hook of project 6 "Routed Token".',
  prepare_router_terminal: 'You make <JBRouterTerminal> the router terminal of project 6 "Routed Token".',
  prepare_721_pay:
    "You pay 1.1 ETH to project 3 and get at least 1089 of its tokens; 100 % go to you; its metadata names tiers 1, 2, 1 for whichever hook has the id <id>.",
  prepare_adjust_tiers: "You add 1 tier to the shop <clone> and remove tier 1 from it.",
  prepare_721_launch:
    'You launch a project owned by <holder>, with 1 ruleset and a shop "Launched" of 2 tiers.',
  prepare_revnet_deploy:
    'You deploy the revnet "Planned Revnet" with the token "PLAN" and 1 stage, operated by you.',
  prepare_auto_issue:
    'You have project 4 "Sandbox Revnet" issue what its stage <time> sets aside for <holder>, an amount decided when it runs.'
}

describe("a plan of an operation, in one sentence", () => {
  for (const id of planIds)
    it(`says what ${id} does`, async () => {
      assert.strictEqual(await operation(id), SENTENCES[id])
    })

  it("says who gets it where that is not the wallet", async () => {
    assert.strictEqual(
      await operation("prepare_pay", { beneficiary: projectOwner.key.address }),
      'You pay 1 ETH to project 2 "Demo Token" for at least 792 "DEMO"; 100 % go to <owner>, none to you.'
    )
  })

  it("says what is allowed before it", async () => {
    const project = { chainId: 31337, projectId: "6" }
    const account = holder.key.address
    const amount = "25000000"
    assert.match(
      await operation("prepare_pay", { project, account, beneficiary: account, token: USD, amount }),
      /^You pay 25 of token <USD> \(25000000 in its smallest unit; that it has 6 decimals is its own word\) to project 6 "Routed Token" and get at least [0-9.]+ "ROUTED"; 100 % go to you\. Before that you allow JB[A-Za-z]+ \(<JB[A-Za-z]+>\) to take up to 25 of token <USD> \(25000000 in its smallest unit; that it has 6 decimals is its own word\) from you \(or its item 25000000, if it is a collection\)\.$/
    )
  })
})

describe("a plan of contract calls, in one sentence", () => {
  const said = async (...calls: ReadonlyArray<CallInput>) =>
    told(holder, await planned(bench, holder, { calls }))
  const to = (contract: string, name: string, args: ReadonlyArray<unknown>, over: CallInput = {}) => ({
    chainId: 31337,
    contractId: contractId(bench.manifest, contract),
    function: name,
    args,
    value: "0",
    ...over
  })
  const give = (over: CallInput = {}) =>
    to("JBERC20", "transfer(address,uint256)", [projectOwner.key.address, "2500000000000000000"], {
      projectId: "2",
      ...over
    })

  it("says that nothing bounds what is got for it", async () => {
    assert.strictEqual(
      await said(payment(bench, holder.key.address)),
      'You pay 0.000000000000001 ETH to project 2 "Demo Token" and get an amount of "DEMO" decided when it runs, perhaps none; 100 % go to you.'
    )
  })

  it("tells the call that it has no words for by its names and what it sends", async () => {
    assert.strictEqual(
      await said(
        to("JBController", "deployERC20For(uint256,string,string,bytes32)", [
          "2",
          "a",
          "b",
          `0x${"00".repeat(32)}`
        ])
      ),
      "You call deployERC20For of JBController with 0 ETH."
    )
  })

  it("tells allowances as what they allow", async () => {
    const spender = holder.key.address
    const limitless = String(2n ** 256n - 1n)
    const approve = (amount: string) =>
      to("JBERC20", "approve(address,uint256)", [NATIVE_TOKEN, amount], { projectId: "2" })
    assert.match(
      await said(approve(limitless)),
      /^You allow 0x0{36}EEEe to take all of your "DEMO", now and later\.$/
    )
    assert.match(await said(approve("0")), /^You let 0x0{36}EEEe take none of your "DEMO" any more\.$/)
    assert.strictEqual(
      await said(
        to("JBPermissions", "setPermissionsFor(address,(address,uint64,uint8[]))", [
          spender,
          [projectOwner.key.address, "0", ["1"]]
        ])
      ),
      "You allow <owner> to act for you in every project: whatever the account may do (ROOT)."
    )
  })

  it("tells what a permission taken back leaves", async () => {
    const withdraw = (projectId: string) =>
      to("JBPermissions", "setPermissionsFor(address,(address,uint64,uint8[]))", [
        holder.key.address,
        [projectOwner.key.address, projectId, []]
      ])
    assert.strictEqual(
      await said(withdraw("2")),
      "You take back what <owner> was allowed to do for you in project 2; what it may do in every project at once stays."
    )
    assert.strictEqual(
      await said(withdraw("0")),
      "You take back what <owner> was allowed to do for you in every project at once; what it may do in single projects stays."
    )
  })

  it("tells several calls in their order", async () => {
    assert.strictEqual(
      await said(give(), give({ dependsOn: [0] })),
      'You send 2.5 "DEMO" to <owner>. Then you send 2.5 "DEMO" to <owner>.'
    )
    assert.match(
      await said(...Array.from({ length: 6 }, () => give())),
      /\. Then 2 more calls, told below\.$/
    )
  })
})
