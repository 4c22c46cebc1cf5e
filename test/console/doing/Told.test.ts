import { assert, describe, it } from "vitest"
import { rulesetInForce } from "../../../src/console/doing/fields/InForce.ts"
import { previewOf, previewRows } from "../../../src/console/doing/words/PreviewWords.ts"
import { sharesWords } from "../../../src/console/doing/words/Shares.ts"
import type { ProjectView } from "../../../src/projects/ProjectSchemas.ts"
import { type ReviewRow, sentence } from "../../../src/review/Words.ts"
import { known, type Unknown } from "../../../src/values/Observed.ts"
import { NO_RULESET_FLAGS } from "../../support/RulesetFlags.ts"
import { isAccepted } from "./support/Forms.ts"

const NATIVE = "0x000000000000000000000000000000000000EEEe"
const ZERO = "0x0000000000000000000000000000000000000000"
const SOMEBODY = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
const TERMINAL = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"

const UNKNOWN: Unknown = {
  status: "unknown",
  error: { code: "UPSTREAM_FAILURE", message: "The node \u202e did not answer.", retryable: true }
}

const told = (id: string, answer: unknown) => {
  const preview = previewOf(id) ?? assert.fail(id)
  const line = ({ name, value, rows = [] }: ReviewRow): ReadonlyArray<string> => [
    `${name}: ${sentence(value)}`,
    ...rows.flatMap(line)
  ]
  return previewRows(preview, { chainId: 1, tokens: new Map(), answer }).flatMap(line)
}

describe("a quote in words", () => {
  it("counts a token by the decimals that it comes with", () => {
    const answer = {
      tokenToReclaim: SOMEBODY,
      tokenDecimals: "6",
      expectedReturn: "1500000",
      minimumReturn: "1485000",
      treasuryProtocolFee: "0",
      route: "amm",
      warnings: ["It may \u202e change."]
    }
    const [now, least, , through, warning] = told("prepare_cash_out", answer)
    assert.match(
      now ?? "",
      /^returns now: 1\.5 of a token that says it has 6 decimals \(1500000 in its smallest unit\)$/
    )
    assert.match(least ?? "", /^at least: 1\.485 /)
    assert.strictEqual(through, "through: a market")
    assert.strictEqual(warning, "warning: It may \\u{202E} change.")
  })

  it("says of a part that is not known that it is not, with the reason as others' text", () => {
    const lines = told("prepare_payout", {
      token: NATIVE,
      amountPaidOut: "1",
      minimumTokensPaidOut: "1",
      distribution: UNKNOWN,
      payoutLimit: UNKNOWN
    })
    assert.include(lines, String.raw`who gets it: not known: untrusted "The node \u{202E} did not answer."`)
    assert.include(lines, String.raw`limit left: not known: untrusted "The node \u{202E} did not answer."`)
  })

  it("counts what is left of a limit in its currency, and no part by decimals that are not told", () => {
    const lines = told("prepare_payout", {
      token: SOMEBODY,
      tokenDecimals: "6",
      currency: 2,
      amountPaidOut: "1500000",
      minimumTokensPaidOut: "1",
      distribution: UNKNOWN,
      payoutLimit: known({ limit: "9000000", used: "1", left: "2500000" })
    })
    assert.include(lines, "limit left: 2.5 US dollars, exactly 2500000 with 6 decimals")
    const [untold] = told("prepare_payout", {
      token: SOMEBODY,
      amountPaidOut: "1500000",
      payoutLimit: UNKNOWN,
      distribution: UNKNOWN
    })
    assert.match(untold ?? "", /^pays out now: 1500000 in the token's smallest unit/)
  })

  it("tells changes as their form does, limits with their token and place", () => {
    const changes = [
      { field: "metadata.reservedPercent", current: "1000", proposed: "2500" },
      { field: "duration", current: null, proposed: "86400" }
    ]
    const limitChanges = known([
      { field: `payoutLimits/${TERMINAL}/${NATIVE}/61166`, current: "1500000000000000000", proposed: null },
      { field: `payoutLimits/${TERMINAL}/${NATIVE}/2`, current: "1500000000000000000", proposed: null }
    ])
    const lines = told("prepare_ruleset_change", {
      permission: { authorized: known(false) },
      economicChanges: [{ changes, limitChanges }],
      timing: { facts: [] }
    })
    assert.deepStrictEqual(lines, [
      "your wallet: may not queue",
      "ruleset 1: compared with the one before it",
      "Reserved: 10 %, 1000 of 10000 becomes 25 %, 2500 of 10000",
      "Duration: nothing becomes 1 day, 86400 seconds",
      `payout limit: 1.5 ether, exactly 1500000000000000000 with 18 decimals becomes 0 ether, exactly 0 with 18 decimals, of the token ${NATIVE}, in currency 61166, at ${TERMINAL}`,
      `payout limit: 1.5 US dollars, exactly 1500000000000000000 with 18 decimals becomes 0 US dollars, exactly 0 with 18 decimals, of the token ${NATIVE}, in currency 2, at ${TERMINAL}`
    ])
  })
})

describe("shares", () => {
  it("add up in words, with what is left and what is not typed yet", () => {
    assert.strictEqual(
      sharesWords(["250000000", undefined], " over"),
      "25 % shared, 75 % is left over; 1 not typed yet."
    )
    assert.strictEqual(sharesWords(["1000000001"], " over"), "100.0000001 % shared, more than the whole.")
  })
})

const ruleset = {
  cycleNumber: "3",
  id: "9",
  basedOnId: "8",
  start: "1700000000",
  duration: "604800",
  weight: "5",
  weightCutPercent: "10",
  approvalHook: ZERO,
  metadata: "0"
} as const

const metadata = {
  reservedPercent: "1000",
  cashOutTaxRate: "0",
  baseCurrency: "1",
  ...NO_RULESET_FLAGS,
  dataHook: ZERO,
  metadata: "0"
} as const

const split = {
  percent: "500000000",
  projectId: "0",
  beneficiary: SOMEBODY,
  preferAddToBalance: false,
  lockedUntil: "0",
  hook: ZERO
} as const

const limit = (configured: string, currency: string) => ({
  configured,
  currency,
  decimals: "18",
  used: UNKNOWN,
  remaining: UNKNOWN,
  resetScope: "ruleset-cycle" as const,
  scopeId: "3",
  meaning: "a limit"
})

const view = (over: Partial<ProjectView> = {}): ProjectView => ({
  project: { chainId: 1, projectId: "2", version: 6 },
  evidence: [],
  owner: UNKNOWN,
  controller: UNKNOWN,
  canonicalController: true,
  metadataUri: UNKNOWN,
  rulesets: { current: known({ ruleset, metadata }), upcoming: UNKNOWN, latestQueued: UNKNOWN },
  token: UNKNOWN,
  supply: {
    totalIncludingPendingReserved: UNKNOWN,
    pendingReserved: UNKNOWN,
    decimals: 18,
    scope: "local chain"
  },
  reservedTokenSplits: known([split]),
  splitPercentDenominator: "1000000000",
  terminals: known([
    {
      address: TERMINAL,
      accountingStore: UNKNOWN,
      contexts: known([
        {
          token: NATIVE,
          decimals: "18",
          currency: "61166",
          balance: UNKNOWN,
          surplus: UNKNOWN,
          primaryTerminal: UNKNOWN,
          payoutLimits: known([limit("7", "61166"), limit("8", "2")]),
          surplusAllowances: known([]),
          payoutSplits: known([])
        }
      ])
    }
  ]),
  coverage: { complete: false, unknown: [], notes: [] },
  ...over
})

describe("the ruleset in force", () => {
  it("is what would be queued anew, with limits in the order of their currencies", () => {
    const found = rulesetInForce(view()) ?? assert.fail("none")
    assert.deepStrictEqual(found.splitGroups, [
      { groupId: "1", splits: [{ ...split, percent: 500_000_000 }] }
    ])
    assert.deepStrictEqual(found.fundAccessLimitGroups, [
      {
        terminal: TERMINAL,
        token: NATIVE,
        payoutLimits: [
          { amount: "8", currency: 2 },
          { amount: "7", currency: 61_166 }
        ],
        surplusAllowances: []
      }
    ])
    const input = {
      project: { chainId: 1, projectId: "2" },
      account: SOMEBODY,
      rulesetConfigurations: [found]
    }
    assert.isTrue(isAccepted("prepare_ruleset_change", input))
  })

  it("is none where a part of it is not known, lest that be queued as none", () => {
    assert.isUndefined(rulesetInForce(view({ reservedTokenSplits: UNKNOWN })))
    assert.isUndefined(rulesetInForce(view({ terminals: UNKNOWN })))
    const rulesets = { current: known(null), upcoming: UNKNOWN, latestQueued: UNKNOWN }
    assert.isUndefined(rulesetInForce(view({ rulesets })))
  })
})
