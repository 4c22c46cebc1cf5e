/** No predicate believes a receipt of which anything that it claims is otherwise, and none says that an effect failed. */
import { assert, describe, it } from "vitest"
import type { Evented } from "../effects/support/Scenario.ts"
import { scenarios as written } from "../effects/support/Scenarios.ts"
import {
  eventName,
  isClaimed,
  judgedAs,
  judgedTransactions,
  withOtherArguments,
  withOtherFields,
  without
} from "./Altered.ts"

/** What predicates leave to the contracts: least amounts that these enforce, and what no event repeats. */
const UNCLAIMED: Readonly<Record<string, ReadonlyArray<string>>> = {
  add_to_balance: ["token", "amount", "shouldReturnHeldFees"],
  borrow: ["minBorrowAmount"],
  cash_out: ["tokenToReclaim", "minTokensReclaimed"],
  deploy_revnet: ["accountingContextsToAccept"],
  deploy_revnet_with_shop: ["accountingContextsToAccept", "tiered721HookConfiguration", "allowedPosts"],
  launch_721_project: ["deployTiersHookConfig", "controller", "salt"],
  launch_project: ["rulesetConfigurations", "terminalConfigurations"],
  pay: ["token", "amount", "minReturnedTokens"],
  pay_routed: ["amount", "minReturnedTokens"],
  repay_loan: ["maxRepayBorrowAmount", "collateralCountToReturn", "allowance"],
  send_payouts: ["token", "currency", "minTokensPaidOut"],
  set_pool: ["fee", "tickSpacing"],
  use_allowance: ["token", "currency", "minTokensPaidOut"]
}

/** One tier may have any number, for the shop may have had others; a pool's id is the hook's where the plan keeps none. */
const UNTOLD: Readonly<Record<string, string>> = {
  adjust_tiers: "AddTier tierId",
  set_pool: "PoolAdded poolId"
}

const emissions = written.flatMap(({ verifier, emissions: each }) =>
  each.map(emission => ({ verifier, ...emission }))
)

const ofEvent = (verifier: string, event: string): ReadonlyArray<Evented> =>
  emissions.filter(each => each.verifier === verifier && each.event === event)

const mayDiffer = (verifier: string, event: string, field: string): boolean =>
  UNTOLD[verifier] === `${event} ${field}` ||
  ofEvent(verifier, event).some(({ free, allows = {} }) => free.includes(field) || field in allows)

const isNeeded = (verifier: string, event: string): boolean =>
  ofEvent(verifier, event).every(({ role }) => role === "proof")

describe.each(judgedTransactions())("$title", ({ call }) => {
  const proof = judgedAs(call)
  const { verifier = "" } = proof

  it("is in doubt without a log that it claims", () => {
    for (const [at, log] of call.logs.entries()) {
      const { status, ...judged } = judgedAs(call, without(call, at))
      const event = eventName(log)
      assert.notStrictEqual(status, "failed", event)
      if (!isClaimed(log, proof)) continue
      if (isNeeded(verifier, event)) assert.strictEqual(status, "unknown", event)
      else assert.isFalse(status === "verified" && isClaimed(log, { status, ...judged }), event)
    }
  })

  it("is in doubt where a field of a log that it claims says otherwise", () => {
    for (const [at, log] of call.logs.entries())
      for (const { name, altered } of withOtherFields(call, at)) {
        const { status } = judgedAs(call, altered)
        const event = eventName(log)
        assert.notStrictEqual(status, "failed", `${event} ${name}`)
        if (isClaimed(log, proof) && isNeeded(verifier, event) && !mayDiffer(verifier, event, name))
          assert.strictEqual(status, "unknown", `${event} ${name}`)
      }
  })

  it("is in doubt where the call was another", () => {
    for (const { name, altered } of withOtherArguments(call)) {
      const { status } = judgedAs(altered, call)
      assert.notStrictEqual(status, "failed", name)
      if (!(UNCLAIMED[verifier] ?? []).includes(name)) assert.strictEqual(status, "unknown", name)
    }
  })
})
