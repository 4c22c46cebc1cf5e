/** Events that agree with each other but not with what was planned. */
import { assert, describe, it } from "vitest"
import { borrow, repayLoan, repayPart } from "./support/LoanScenarios.ts"
import { type Fields, judged, logsOf } from "./support/Receipts.ts"
import type { Scenario } from "./support/Scenario.ts"

const LOAN_ID = "7000000000000000003"
const ELSEWHERE = "8000000000000000003"

const told = (
  { call, emissions }: Scenario,
  changes: Readonly<Record<string, Fields>>,
  summary?: unknown
) => {
  const logs = logsOf(
    emissions.map(emission => ({ ...emission, fields: { ...emission.fields, ...changes[emission.event] } }))
  )
  const { status, reason } = judged(call, logs, { summary })
  return [status, reason]
}

const amountOf = (scenario: Scenario, amount: string) => ({
  ...Object(scenario.emissions[0]?.fields.loan),
  amount
})

describe("a new loan", () => {
  it("is in doubt by one that owes less than the least in all its fields", () => {
    const lent = (amount: string) =>
      told(borrow, { Borrow: { borrowAmount: amount, loan: amountOf(borrow, amount) } })
    assert.deepStrictEqual(lent("989"), ["unknown", "the Borrow event has another borrowAmount"])
    assert.deepStrictEqual(lent("990"), ["verified", undefined])
  })

  it("is in doubt by one whose number is another revnet's", () => {
    const changes = { Borrow: { loanId: ELSEWHERE }, Transfer: { tokenId: ELSEWHERE } }
    assert.deepStrictEqual(told(borrow, changes), ["unknown", "the Borrow event has another loanId"])
  })
})

describe("a repayment", () => {
  const untrue = [
    "unknown",
    "the RepayLoan event's repayBorrowAmount is not the debt that is gone and its fee"
  ]

  it("costs what the maximum allows, the fee within", () => {
    const paid = (repayBorrowAmount: string, sourceFeeAmount: string) =>
      told(repayLoan, { RepayLoan: { repayBorrowAmount, sourceFeeAmount } })
    assert.deepStrictEqual(paid("1100", "100"), ["verified", undefined])
    assert.deepStrictEqual(paid("1000", "0"), ["verified", undefined])
    assert.deepStrictEqual(paid("1101", "101"), [
      "unknown",
      "the RepayLoan event has another repayBorrowAmount"
    ])
  })

  it("tells the fee as a part of what was repaid, and the rest is the debt that is gone", () => {
    const paid = (repayBorrowAmount: string, summary?: unknown) =>
      told(repayLoan, { RepayLoan: { repayBorrowAmount } }, summary)
    assert.deepStrictEqual(paid("1090"), ["verified", undefined])
    for (const amount of ["1000", "1089", "1091", "1100"]) assert.deepStrictEqual(paid(amount), untrue)
    const plan = { loanId: LOAN_ID, loan: amountOf(repayLoan, "1001") }
    assert.deepStrictEqual(paid("1090", plan), untrue)
    assert.deepStrictEqual(paid("1091", plan), ["verified", undefined])
  })

  it("in part leaves the rest to another loan of the same revnet", () => {
    for (const id of [LOAN_ID, ELSEWHERE])
      assert.deepStrictEqual(
        told(repayPart, { RepayLoan: { paidOffLoanId: id }, Transfer: { tokenId: id } }),
        ["unknown", "the RepayLoan event has another paidOffLoanId"]
      )
  })

  describe("whose event tells the loan as the repayment left it", () => {
    const ofLoan = (scenario: Scenario, over: Fields) => ({
      ...Object(scenario.emissions[0]?.fields.loan),
      ...over
    })
    const emptied = { RepayLoan: { loan: ofLoan(repayLoan, { amount: "0", collateral: "0" }) } }
    const untold = ["unknown", "the RepayLoan event does not tell the loan that was repaid"]
    const planned = (scenario: Scenario, over: Fields) => ({ loanId: LOAN_ID, loan: ofLoan(scenario, over) })

    it("returns all of the collateral that the plan knows of", () => {
      const judgedBy = (summary: unknown) => told(repayLoan, emptied, summary)
      assert.deepStrictEqual(judgedBy(planned(repayLoan, {})), ["verified", undefined])
      assert.deepStrictEqual(judgedBy(planned(repayLoan, { collateral: "501" })), [
        "unknown",
        "the RepayLoan event has another collateralCountToReturn"
      ])
      for (const summary of [undefined, {}, { ...planned(repayLoan, {}), loanId: ELSEWHERE }])
        assert.deepStrictEqual(judgedBy(summary), untold)
    })

    it("needs a plan also where exactly what was asked came back, for the debt is told by nothing else", () => {
      const returned = { RepayLoan: { ...emptied.RepayLoan, collateralCountToReturn: "499" } }
      assert.deepStrictEqual(told(repayLoan, returned), untold)
      assert.deepStrictEqual(told(repayLoan, returned, planned(repayLoan, {})), ["verified", undefined])
    })

    it("keeps the age that the plan knows of", () => {
      assert.deepStrictEqual(told(repayPart, emptied), untold)
      assert.deepStrictEqual(told(repayPart, emptied, planned(repayPart, {})), ["verified", undefined])
      assert.deepStrictEqual(told(repayPart, {}, planned(repayPart, { createdAt: "1" })), [
        "unknown",
        "the RepayLoan event has another paidOffLoan"
      ])
    })
  })
})
