import { assert, describe, it } from "vitest"
import { cashOutFee, reclaimable } from "../../../src/operations/shared/economics/CashOut.ts"
import { feeOn, returnHeldFees } from "../../../src/operations/shared/economics/Fees.ts"
import { payoutsOf } from "../../../src/operations/shared/economics/Payouts.ts"
import { type Call, PAYOUTS, type RecordedLog, recordingOf, type Value } from "../../observed/Recording.ts"

const member = (value: Value | undefined, name: string): Value => Object(value)[name]
const uint = (value: Value | undefined, name: string): bigint => BigInt(String(member(value, name)))

const named = ({ logs }: Call, event: string): ReadonlyArray<RecordedLog["args"]> =>
  logs
    .filter(log => log.contract === "JBMultiTerminal" && log.event.startsWith(`${event}(`))
    .map(({ args }) => args)

const sentIn = (scenario: string) =>
  recordingOf(scenario).transactions.filter(call => named(call, "SendPayouts").length === 1)

const same = (a: Value | undefined, b: Value | undefined) => JSON.stringify(a) === JSON.stringify(b)

/** Every project that a recorded split reached is served by the terminal itself. */
const recipientsIn = (call: Call) =>
  named(call, "SendPayoutToSplit").map(({ split }) => ({
    percent: uint(split, "percent"),
    isFeeless: member(split, "projectId") !== "0",
    isReached: !named(call, "PayoutReverted").some(reverted => same(reverted.split, split))
  }))

describe("payouts of the deployed terminal", () => {
  it.each(PAYOUTS)("%s: every recipient, every fee and the leftover", scenario => {
    const sent = sentIn(scenario)
    assert.isAbove(sent.length, 0)
    for (const call of sent) {
      const [summary] = named(call, "SendPayouts")
      const isReached = named(call, "PayoutTransferReverted").length === 0
      const owner = { isFeeless: false, isReached }
      const paid = payoutsOf(uint(summary, "amountPaidOut"), recipientsIn(call), owner)
      assert.deepEqual(
        paid.recipients.map(({ amount, net }) => [amount, net]),
        named(call, "SendPayoutToSplit").map(args => [uint(args, "amount"), uint(args, "netAmount")]),
        call.note
      )
      assert.equal(paid.fee, uint(summary, "fee"), call.note)
      const told = isReached ? paid.owner.net : paid.owner.amount
      assert.equal(told, uint(summary, "netLeftoverPayoutAmount"), call.note)
    }
  })

  it("takes 24998 of 1000003 over three splits and the owner", () => {
    const [first] = sentIn("payout-fee-rounding")
    assert.deepEqual(first && named(first, "SendPayouts").map(({ fee }) => fee), ["24998"])
  })

  it("holds what owes a fee, tells a percentage, and gives back what covers it", () => {
    let held: ReadonlyArray<bigint> = []
    for (const call of recordingOf("payout-held-fees").transactions) {
      if (call.function.startsWith("launchProjectFor")) held = []
      for (const args of named(call, "HoldFee")) {
        assert.equal(args.fee, "25")
        held = [...held, uint(args, "amount")]
      }
      for (const args of named(call, "ReturnHeldFees")) {
        const given = returnHeldFees(held, uint(args, "amount"))
        assert.deepEqual(
          [given.returned, given.unused],
          [uint(args, "returnedFees"), uint(args, "leftoverAmount")]
        )
        held = given.held
      }
      for (const args of named(call, "ProcessFee").filter(({ wasHeld }) => wasHeld === true)) {
        const [oldest = 0n, ...others] = held
        assert.equal(feeOn(oldest), uint(args, "amount"))
        held = others
      }
    }
    assert.deepEqual(held, [])
  })
})

describe("allowances of the deployed terminal", () => {
  it("owe one fee, none to a feeless beneficiary", () => {
    const { transactions } = recordingOf("surplus-allowance")
    const used = transactions.filter(call => named(call, "UseAllowance").length === 1)
    assert.isAbove(used.length, 4)
    for (const call of used) {
      const [args] = named(call, "UseAllowance")
      const isFeeless = /feeless/.test(call.note)
      const gross = uint(args, "amountPaidOut")
      assert.equal(uint(args, "netAmountPaidOut"), gross - (isFeeless ? 0n : feeOn(gross)), call.note)
      assert.equal(named(call, "ProcessFee").length, isFeeless ? 0 : 1)
    }
  })
})

const CASH_OUTS = ["cash-out-tax", "cash-out-no-tax", "cash-out-usdc"]

/** What the recording had read last before a step, of a function whose arguments begin like this. */
const lastRead = (steps: ReturnType<typeof recordingOf>["steps"], before: number, name: string) =>
  steps
    .slice(0, before)
    .findLast((step): step is Call => step.kind === "read" && step.function.startsWith(`${name}(`))?.result

const balanceBefore = ({ balances }: Call, measure: string) =>
  balances.find(balance => balance.measure.startsWith(measure))?.before

describe("cash-outs of the deployed terminal", () => {
  it.each(CASH_OUTS)("%s: the curve, the fee and what arrives", scenario => {
    const { steps, transactions } = recordingOf(scenario)
    let compared = 0
    for (const call of transactions.filter(each => named(each, "CashOutTokens").length === 1)) {
      const [args] = named(call, "CashOutTokens")
      const taxRate = uint(args, "cashOutTaxRate")
      const preview = lastRead(steps, call.index, "previewCashOutFrom")
      const isPreviewed = steps[call.index - 1]?.kind === "read"
      if (!isPreviewed) continue
      compared++
      const gross = uint(preview, "reclaimAmount")
      const surplus = BigInt(String(lastRead(steps, call.index, "currentSurplusOf")))
      const supply = balanceBefore(call, "supply of project") ?? 0n
      const count = uint(args, "cashOutCount")
      assert.equal(reclaimable({ surplus, count, supply, taxRate }), gross, call.note)
      const feeFreeSurplus = balanceBefore(call, "fee free surplus") ?? 0n
      const fee = cashOutFee({ gross, taxRate, isFeeless: false, feeFreeSurplus })
      assert.equal(uint(args, "reclaimAmount"), gross - fee, call.note)
      const told = [...named(call, "ProcessFee"), ...named(call, "FeeReverted")].map(({ amount }) => amount)
      assert.deepEqual(told, fee === 0n ? [] : [String(fee)], call.note)
    }
    assert.isAbove(compared, 1)
  })
})
