import { assert, describe, it } from "vitest"
import {
  accountRows,
  assetsOf,
  evidenceRows,
  projectsInSplits
} from "../../../src/console/projects/words/Project.ts"
import { type RulesetRead, rulesetRows } from "../../../src/console/projects/words/Rulesets.ts"
import type { ProjectView, Terminal, TokenAccount } from "../../../src/projects/ProjectSchemas.ts"
import { type ReviewRow, sentence } from "../../../src/review/Words.ts"
import { NO_RULESET_FLAGS } from "../../support/RulesetFlags.ts"

const NOBODY = "0x0000000000000000000000000000000000000000"
const NATIVE = "0x000000000000000000000000000000000000EEEe"
const USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"
const DAY = "86400"

const error = { code: "RPC_UNAVAILABLE", message: "No answer.", retryable: true } as const
const unknown = { status: "unknown", error } as const
const known = <A>(value: A) => ({ status: "known", value }) as const
const nothing = known(null)

const told = (rows: ReadonlyArray<ReviewRow>): ReadonlyArray<string> =>
  rows.flatMap(({ name, value, rows: inner = [] }) => [`${name}: ${sentence(value)}`, ...told(inner)])

type Found = NonNullable<Extract<RulesetRead, { readonly status: "known" }>["value"]>

const ruleset = (over: Partial<Found["ruleset"]> = {}, meta: Partial<Found["metadata"]> = {}): Found => ({
  ruleset: {
    cycleNumber: "3",
    id: "7",
    basedOnId: "0",
    start: "0",
    duration: DAY,
    weight: String(10n ** 18n),
    weightCutPercent: "0",
    approvalHook: NOBODY,
    metadata: "0",
    ...over
  },
  metadata: {
    reservedPercent: "0",
    cashOutTaxRate: "0",
    baseCurrency: "2",
    ...NO_RULESET_FLAGS,
    dataHook: NOBODY,
    metadata: "0",
    ...meta
  }
})

describe("a ruleset in words", () => {
  const rulesets = (over: Partial<ProjectView["rulesets"]>) =>
    told(rulesetRows({ current: nothing, upcoming: nothing, latestQueued: nothing, ...over }, 0))

  it("says what is none, what is all, and that nothing ends it", () => {
    const rows = rulesets({
      current: known(ruleset({ weight: "0", duration: "0" }, { cashOutTaxRate: "10000" }))
    })
    assert.includeMembers(
      [...rows],
      [
        "issuance: none: payments issue no tokens",
        "reserved: nothing of what is issued",
        "cash-out tax: all of it: a cash-out takes nothing of the surplus",
        "paused: nothing",
        "until: another one is queued; it has no end of its own",
        "then: nothing is foreseen"
      ]
    )
    assert.include(rulesets({ current: known(ruleset()) }), "issuance: 1 token for each US dollar paid in")
    assert.include(
      rulesets({ current: known(ruleset({}, { baseCurrency: "9" })) }),
      "issuance: 1 token for each unit of currency 9 paid in"
    )
  })

  it("warns of paused payments, and tells the rules that bind or free the owner", () => {
    const current = ruleset(
      {},
      { pausePay: true, pauseCreditTransfers: true, holdFees: true, dataHook: USDC }
    )
    const rows = rulesetRows({ current: known(current), upcoming: nothing, latestQueued: nothing }, 0)
    const paused = rows.find(({ name }) => name === "paused")
    assert.strictEqual(paused?.tone, "warning")
    assert.include(told(rows), "paused: payments and transfers of credits")
    assert.include(told(rows), "fees: of payouts are held back and may be returned")
    assert.include(told(rows), `data hook: ${USDC}`)
    assert.include(told(rows), "approval hook: none: the owner may queue the next ruleset at any time")
  })

  it("says what comes then by what changes, and what was queued beside it", () => {
    const next = ruleset({ id: "8", start: DAY }, { reservedPercent: "1250" })
    const latestQueued = known({
      ...ruleset({ id: "9" }),
      approvalStatus: { code: 5, name: "Failed" } as const
    })
    const rows = rulesets({ current: known(ruleset()), upcoming: known(next), latestQueued })
    assert.include(rows, "then: ruleset 8, from 1970-01-02T00:00:00Z, in 1 day")
    assert.include(rows, "reserved: 12.5 % of what is issued")
    assert.include(rows, "queued last: ruleset 9, approval: Failed")
    const again = rulesets({ current: known(ruleset()), upcoming: known(ruleset({ start: DAY })) })
    assert.include(
      again,
      "then: the same ruleset again, from 1970-01-02T00:00:00Z, in 1 day; these figures stay"
    )
  })

  it("says of each part that is not known why", () => {
    const why = "not known: RPC_UNAVAILABLE No answer."
    assert.deepStrictEqual(rulesets({ current: unknown, upcoming: unknown, latestQueued: unknown }), [
      `in force: ${why}`,
      `then: ${why}`
    ])
    assert.include(rulesets({ latestQueued: unknown }), `queued last: ${why}`)
    assert.include(rulesets({}), "in force: no ruleset")
  })
})

const limit = (over: object) => ({
  configured: "2000000",
  currency: "1",
  decimals: "6",
  used: known("0"),
  remaining: known("1500000"),
  resetScope: "ruleset-cycle" as const,
  scopeId: "3",
  meaning: "",
  ...over
})

const account: TokenAccount = {
  token: USDC,
  decimals: "6",
  currency: "1",
  balance: known("2500000"),
  surplus: unknown,
  primaryTerminal: known(NOBODY),
  payoutLimits: known([limit({})]),
  surplusAllowances: known([limit({ currency: "2", remaining: unknown, resetScope: "ruleset" as const })]),
  payoutSplits: known([
    {
      percent: "1",
      projectId: "12",
      beneficiary: USDC,
      preferAddToBalance: false,
      lockedUntil: "0",
      hook: NOBODY
    }
  ])
}

const terminal: Terminal = { address: NOBODY, accountingStore: unknown, contexts: known([account]) }

const view: ProjectView = {
  project: { chainId: 1, projectId: "7", version: 6 },
  evidence: [],
  owner: unknown,
  controller: unknown,
  canonicalController: true,
  metadataUri: unknown,
  rulesets: { current: nothing, upcoming: nothing, latestQueued: nothing },
  token: unknown,
  supply: {
    totalIncludingPendingReserved: unknown,
    pendingReserved: unknown,
    decimals: 18,
    scope: "local chain"
  },
  reservedTokenSplits: unknown,
  splitPercentDenominator: "1000000000",
  terminals: known([terminal]),
  coverage: { complete: false, unknown: ["/owner"], notes: ["A note."] }
}

describe("what a project holds", () => {
  const acquainted = {
    wallet: NOBODY,
    owner: undefined,
    projects: new Map<string, string>(),
    symbols: new Map([[USDC.toLowerCase(), "USDC"]]),
    nowMillis: 0
  }

  it("is told token by token, with units, limits of other currencies as they are, and what is not known", () => {
    const rows = told(accountRows(view, acquainted))
    assert.includeMembers(
      [...rows],
      [
        `accounts in: token ${USDC}`,
        'balance: 2.5 "USDC"',
        "surplus: not known: RPC_UNAVAILABLE No answer.",
        'payouts: 1.5 "USDC" left of 2 "USDC" in this cycle'
      ]
    )
    const allowance = rows.find(row => row.startsWith("allowance: ")) ?? ""
    assert.include(allowance, "left of 2000000 (currency 2, 6 decimals) under this ruleset")
    assert.deepStrictEqual(projectsInSplits(view), ["12"])
  })

  it("has assets only where every terminal's accounts are known", () => {
    assert.deepStrictEqual(assetsOf(view, acquainted.symbols), [{ token: USDC, decimals: 6, symbol: "USDC" }])
    const hidden = { ...terminal, contexts: unknown }
    assert.isUndefined(assetsOf({ ...view, terminals: known([terminal, hidden]) }, acquainted.symbols))
    assert.isUndefined(assetsOf({ ...view, terminals: unknown }, acquainted.symbols))
    const native: Terminal = { ...terminal, contexts: known([{ ...account, token: NATIVE, decimals: "18" }]) }
    assert.lengthOf(
      assetsOf({ ...view, terminals: known([terminal, native, native]) }, acquainted.symbols) ?? [],
      2
    )
  })

  it("takes the decimals of a token from the protocol's own terminal, whatever another one says", () => {
    const own: Terminal = { ...terminal, accountingStore: known(NOBODY) }
    const foreign: Terminal = { ...terminal, contexts: known([{ ...account, decimals: "0" }]) }
    for (const terminals of [
      [own, foreign],
      [foreign, own]
    ])
      assert.deepStrictEqual(assetsOf({ ...view, terminals: known(terminals) }, new Map()), [
        { token: USDC, decimals: 6, symbol: undefined }
      ])
  })

  it("says where nothing can be paid in, and what the answer lacks", () => {
    assert.deepStrictEqual(told(accountRows({ ...view, terminals: known([]) }, acquainted)), [
      "terminals: none: nothing can be paid in"
    ])
    assert.deepStrictEqual(told(accountRows({ ...view, terminals: unknown }, acquainted)), [
      "terminals: not known: RPC_UNAVAILABLE No answer."
    ])
    assert.deepStrictEqual(told(evidenceRows(view, 0)), ["not known: /owner", "note: A note."])
  })
})
