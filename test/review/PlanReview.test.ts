import { assert, describe, it } from "vitest"
import { tokenKey } from "../../src/review/Amounts.ts"
import { cloneKey } from "../../src/review/ExplainCall.ts"
import type { PlanReview } from "../../src/review/PlanReview.ts"
import { sentence } from "../../src/review/Words.ts"
import { CLONE_FAMILY } from "./support/CloneFamily.ts"
import {
  callOf,
  contract,
  linesOf,
  NATIVE,
  NOW,
  OTHER,
  planOf,
  reviewOf,
  TERMINAL
} from "./support/Reviews.ts"

const terminal = contract("Terminal", [
  "function pay(uint256 projectId, address token, uint256 amount, address beneficiary, uint256 minReturnedTokens, string memo, bytes metadata) payable"
])

const TOKEN = "0x3Aa5ebB10DC797CAC828524e59A333d0A371443c"

const payment = (
  over: { token?: string; memo?: string; metadata?: string } = {},
  value = "1500000000000000000"
) => {
  const { token = NATIVE, memo = "thanks", metadata = "0x" } = over
  const args = [2n, token, 1_500_000_000_000_000_000n, OTHER, 5n, memo, metadata]
  const shown = ["2", token, "1500000000000000000", OTHER, "5", memo, metadata]
  return callOf(terminal, args, shown, { value })
}

describe("a payment in words", () => {
  it("names contract, place, sums, recipients and every argument with its type", async () => {
    const review = await reviewOf(await planOf([payment()]), terminal)
    const [call] = review.calls
    assert.deepStrictEqual(review.dangers, [])
    assert.strictEqual(call?.title, "Terminal.pay")
    const lines = linesOf(call?.rows ?? [])
    assert.include(lines, "sends: 1.5 ether (1500000000000000000 wei)")
    assert.include(lines, `recipient: ${OTHER} as beneficiary`)
    assert.include(lines, `to: ${TERMINAL}, published as Terminal`)
    assert.include(lines, "contract: package:src/Terminal.sol:Terminal on Sandbox (chain 31337)")
    assert.deepStrictEqual(linesOf(call?.arguments ?? []), [
      "projectId (uint256): 2",
      `token (address): ${NATIVE}, the chain's native currency`,
      "amount (uint256): 1.5 ether (1500000000000000000 wei)",
      `beneficiary (address): ${OTHER}`,
      "minReturnedTokens (uint256): 0.000000000000000005 of the project's tokens (5 with 18 decimals)",
      'memo (string): untrusted "thanks"',
      "metadata (bytes): empty"
    ])
  })

  it("reads a token's amount in whole units only where the token is known, and its symbol as untrusted", async () => {
    const plan = await planOf([payment({ token: TOKEN }, "0")])
    const amount = async (tokens = new Map()) => {
      const review = await reviewOf(plan, terminal, { tokens })
      return linesOf(review.calls[0]?.arguments ?? []).find(line => line.startsWith("amount"))
    }
    assert.strictEqual(
      await amount(),
      "amount (uint256): 1500000000000000000 in the token's smallest unit; its decimals are not known"
    )
    const symbol = "US\u202ED"
    assert.strictEqual(
      await amount(new Map([[tokenKey(31_337, TOKEN), { symbol, decimals: 6 }]])),
      'amount (uint256): 1500000000000 of a token that calls itself untrusted "US\\u{202E}D" (1500000000000000000 with 6 decimals)'
    )
    assert.strictEqual(
      await amount(new Map([[tokenKey(31_337, TOKEN), { decimals: 6 }]])),
      "amount (uint256): 1500000000000 of a token that says it has 6 decimals (1500000000000000000 in its smallest unit)"
    )
  })

  it("shows hostile text as text: markup, direction, ten thousand characters", async () => {
    const memo = `<img src=x onerror=alert(1)>\u202E${"z".repeat(10_000)}`
    const plan = await planOf([{ ...payment({ memo }), label: "<script>x</script>\n" }])
    const [call] = (await reviewOf(plan, terminal)).calls
    const shown = linesOf(call?.arguments ?? []).find(line => line.startsWith("memo")) ?? ""
    assert.match(
      shown,
      /^memo \(string\): untrusted "<img src=x onerror=alert\(1\)>\\u\{202E\}z+" and 9749 more characters$/
    )
    assert.include(linesOf(call?.rows ?? []), 'label: untrusted "<script>x</script>\\u{A}"')
  })
})

describe("a plan that is not what it seems", () => {
  const dangersOf = async (...parameters: Parameters<typeof reviewOf>) =>
    (await reviewOf(...parameters)).dangers

  it("is a danger when its commitment is not the one of its terms", async () => {
    const plan = await planOf([payment()])
    const review = await reviewOf({ ...plan, calls: [payment({}, "1500000000000000001")] }, terminal)
    assert.deepStrictEqual(review.dangers, ["the commitment does not match this plan"])
    const shown = review.rows.find(({ name }) => name === "commitment")
    assert.strictEqual(shown?.tone, "danger")
    assert.match(sentence(shown?.value ?? []), /DOES NOT MATCH THIS PLAN; sign nothing$/)
  })

  it("is a danger when its calldata says something else than it shows", async () => {
    const other = payment({ memo: "other" })
    const shown = payment().decoded
    const cases = [
      [{ ...other, decoded: shown }, "the calldata carries other arguments than shown"],
      [
        { ...payment(), decoded: { ...shown, function: "burn(uint256)" } },
        "the calldata calls another function than shown"
      ],
      [
        { ...payment(), data: `${payment().data}00` as const },
        "the calldata is not the encoding of any arguments"
      ],
      [{ ...payment(), data: "0xdeadbeef" as const }, "the contract has no function 0xdeadbeef"],
      [{ ...payment(), to: OTHER }, "the catalog publishes this contract at other addresses only"],
      [{ ...payment(), chainId: 1 }, "the catalog publishes this contract at other addresses only"],
      [{ ...payment(), decoded: { ...shown, abiHash: "bb" } }, "the plan names another ABI than the catalog"],
      [{ ...payment(), decoded: { ...shown, contractId: "x" } }, "the catalog has no such contract"]
    ] as const
    for (const [call, danger] of cases)
      assert.include(await dangersOf(await planOf([call]), terminal), `step 0: ${danger}`)
  })

  it("is a danger when a function that takes no value gets some, or another plan is answered", async () => {
    const free = contract("Free", ["function poke(uint256 x)"])
    const poke = callOf(free, [1n], ["1"], { value: "1" })
    assert.deepStrictEqual(await dangersOf(await planOf([poke]), free), [
      "step 0: the function takes no native value, yet the call sends some"
    ])
    assert.deepStrictEqual(await dangersOf(await planOf([payment()]), terminal, { asked: "another" }), [
      "the service answered with another plan than the one asked for"
    ])
  })

  it("is a danger when it is not the plan that was shown before, although it commits to itself", async () => {
    const [shown, other] = await Promise.all([planOf([payment()]), planOf([payment({ memo: "other" })])])
    const { commitment } = shown
    assert.deepStrictEqual(await dangersOf(shown, terminal, { commitment }), [])
    assert.deepStrictEqual(await dangersOf(other, terminal, { commitment }), [
      "the plan is another one than this page showed before"
    ])
  })

  it("is a danger when its steps are not those of its calls", async () => {
    const steps = [1, 0].map(index => ({ index, state: "ready", blockedBy: [] }) as const)
    const swapped = await planOf([payment(), payment()], { steps })
    const unfitting = ["the plan's steps do not fit its calls"]
    assert.deepStrictEqual(await dangersOf(swapped, terminal), unfitting)
    assert.deepStrictEqual(await dangersOf({ ...swapped, steps: [] }, terminal), unfitting)
  })

  it("lets any token be approved, yet only for a published contract that the plan calls", async () => {
    const token = contract("JBERC20", ["function approve(address spender, uint256 value)"], {
      cloneFamilies: [CLONE_FAMILY],
      deployments: []
    })
    const approval = (spender: string) => callOf(token, [spender, 7n], [spender, "7"], { to: TOKEN })
    const clones = new Map([[cloneKey(approval(TERMINAL)), false]])
    const reviewed = async (...calls: Parameters<typeof planOf>[0]) =>
      reviewOf(await planOf(calls), terminal, { others: [token], clones })
    const paid = await reviewed(approval(TERMINAL), payment({ token: TOKEN }, "0"))
    assert.deepStrictEqual(paid.dangers, [])
    const toOf = ({ calls }: PlanReview) => calls[0]?.rows.find(({ name }) => name === "to")
    assert.strictEqual(toOf(paid)?.tone, "warning")
    assert.match(sentence(toOf(paid)?.value ?? []), /a token of its own code/)
    const unasked = await reviewOf(await planOf([approval(TERMINAL), payment()]), terminal, {
      others: [token]
    })
    assert.match(sentence(toOf(unasked)?.value ?? []), /a token of its own code/)
    const unproved = "step 0: the service cannot prove that the address is a clone of this contract"
    assert.deepStrictEqual((await reviewed(approval(OTHER), payment())).dangers, [unproved])
    assert.deepStrictEqual((await reviewed(approval(TERMINAL))).dangers, [unproved])
    const elsewhere = await reviewed(approval(OTHER), { ...payment(), to: OTHER })
    assert.include(elsewhere.dangers, unproved)
  })

  it("lets nothing but a token be approved so", async () => {
    const items = contract("Items", ["function approve(address spender, uint256 value)"], {
      cloneFamilies: [CLONE_FAMILY],
      deployments: []
    })
    const approval = callOf(items, [TERMINAL, 7n], [TERMINAL, "7"], { to: TOKEN })
    const clones = new Map([[cloneKey(approval), false]])
    const plan = await planOf([approval, payment()])
    assert.deepStrictEqual(await dangersOf(plan, terminal, { others: [items], clones }), [
      "step 0: the service cannot prove that the address is a clone of this contract"
    ])
  })

  it("knows a clone that the catalog cannot publish from a wrong address", async () => {
    const clone = contract("Clone", ["function poke(uint256 x)"], { cloneFamilies: [CLONE_FAMILY] })
    const call = callOf(clone, [1n], ["1"], { to: OTHER })
    const plan = await planOf([call])
    const toneOf = ({ calls }: PlanReview) => calls[0]?.rows.find(({ name }) => name === "to")?.tone
    const unasked = await reviewOf(plan, clone)
    assert.deepStrictEqual(unasked.dangers, [])
    assert.strictEqual(toneOf(unasked), "warning")
    const proved = await reviewOf(plan, clone, { clones: new Map([[cloneKey(call), true]]) })
    assert.deepStrictEqual(proved.dangers, [])
    assert.isUndefined(toneOf(proved))
    const refused = await reviewOf(plan, clone, { clones: new Map([[cloneKey(call), false]]) })
    assert.deepStrictEqual(refused.dangers, [
      "step 0: the service cannot prove that the address is a clone of this contract"
    ])
  })
})

describe("a summary", () => {
  it("tells each value by itself under its path: what is known, and texts as untrusted", async () => {
    const summary = {
      count: "5",
      name: "a b",
      quote: { status: "known", value: "7" },
      fees: { gas: "1", tip: null },
      hooks: [],
      paths: [{ to: "c d" }, ["8"]]
    }
    const { rows } = await reviewOf(await planOf([payment()], { summary }), terminal)
    const lines = linesOf(rows).filter(line => line.startsWith("summary."))
    assert.deepStrictEqual(lines, [
      "summary.count: 5",
      'summary.name: untrusted "a b"',
      "summary.quote: 7",
      "summary.fees.gas: 1",
      "summary.fees.tip: none",
      "summary.hooks: none",
      'summary.paths[0].to: untrusted "c d"',
      "summary.paths[1][0]: 8"
    ])
  })
})

describe("time and evidence", () => {
  it("say from when, until when, and on which block", async () => {
    const evidence = [
      {
        chainId: 31_337,
        blockNumber: "7",
        blockHash: `0x${"ab".repeat(32)}`,
        timestamp: "1800000000",
        source: "onchain"
      }
    ] as const
    const plan = await planOf([payment()], { evidence, warnings: ["retired\u202E"] })
    const allOf = ({ rows, state }: PlanReview) => linesOf([...rows, ...state])
    const lines = allOf(await reviewOf(plan, terminal))
    assert.include(
      lines,
      `evidence: Sandbox (chain 31337) block 7 0x${"ab".repeat(32)} of 2027-01-15T08:00:00Z, 1 minute ago`
    )
    assert.include(lines, "admits until: 2027-01-15T08:05:00Z, in 3 minutes")
    assert.include(lines, "warning: retired\\u{202E}")
    const late = allOf(await reviewOf(plan, terminal, { now: NOW + 260_000 }))
    assert.include(
      late,
      "admits until: 2027-01-15T08:05:00Z, 1 minute ago: expired, nothing new is admitted; what was admitted may be sent again"
    )
  })

  it("say that a step may have left before the service was restored, in the place of until when it is admitted", async () => {
    const over = { status: "expired", restoredAt: NOW - 60_000 } as const
    const { state } = await reviewOf(await planOf([payment()], over), terminal)
    assert.deepStrictEqual(
      state.filter(({ tone }) => tone === "warning").map(each => linesOf([each])),
      [
        [
          "restored: 2027-01-15T08:00:40Z, the service, from a backup: step 0 may have left before; look at the wallet's own transactions first"
        ]
      ]
    )
    assert.notInclude(linesOf(state).join(), "admits until")
  })
})
