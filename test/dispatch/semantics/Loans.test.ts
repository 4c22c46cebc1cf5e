/** Events that agree with each other but not with what was planned. */
import { assert, describe, it } from "vitest"
import { borrow, repayLoan, repayPart } from "./support/LoanScenarios.ts"
import { type Fields, judged, logsOf } from "./support/Receipts.ts"
import type { Scenario } from "./support/Scenario.ts"

const LOAN_ID = "7000000000003"
const ELSEWHERE = "8000000000003"

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
  it("is refuted by one that owes less than the least in all its fields", () => {
    const lent = (amount: string) =>
      told(borrow, { Borrow: { borrowAmount: amount, loan: amountOf(borrow, amount) } })
    assert.deepStrictEqual(lent("989"), ["failed", "the Borrow event has another borrowAmount"])
    assert.deepStrictEqual(lent("990"), ["verified", undefined])
  })

  it("is refuted by one whose number is another revnet's", () => {
    const changes = { Borrow: { loanId: ELSEWHERE }, Transfer: { tokenId: ELSEWHERE } }
    assert.deepStrictEqual(told(borrow, changes), ["failed", "the Borrow event has another loanId"])
  })
})

describe("a repayment", () => {
  it("costs what the maximum allows, fee and principal together", () => {
    const paid = (repayBorrowAmount: string, sourceFeeAmount: string) =>
      told(repayLoan, { RepayLoan: { repayBorrowAmount, sourceFeeAmount } })
    assert.deepStrictEqual(paid("1000", "100"), ["verified", undefined])
    assert.deepStrictEqual(paid("1000", "101"), ["failed", "the RepayLoan event has another sourceFeeAmount"])
    assert.deepStrictEqual(paid("1101", "0"), ["failed", "the RepayLoan event has another repayBorrowAmount"])
  })

  it("may tell the fee as a part of what was repaid, where the debt that is gone proves it", () => {
    const paid = (repayBorrowAmount: string, summary?: unknown) =>
      told(repayLoan, { RepayLoan: { repayBorrowAmount } }, summary)
    assert.deepStrictEqual(paid("1090"), ["verified", undefined])
    const failed = ["failed", "the RepayLoan event has another sourceFeeAmount"]
    for (const amount of ["1089", "1091", "1100"]) assert.deepStrictEqual(paid(amount), failed)
    const plan = { loanId: LOAN_ID, loan: amountOf(repayLoan, "1001") }
    assert.deepStrictEqual(paid("1090", plan), failed)
    assert.deepStrictEqual(paid("1091", plan), ["verified", undefined])
  })

  it("in part leaves the rest to another loan of the same revnet", () => {
    for (const id of [LOAN_ID, ELSEWHERE])
      assert.deepStrictEqual(
        told(repayPart, { RepayLoan: { paidOffLoanId: id }, Transfer: { tokenId: id } }),
        ["failed", "the RepayLoan event has another paidOffLoanId"]
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
        "failed",
        "the RepayLoan event has another collateralCountToReturn"
      ])
      for (const summary of [undefined, {}, { ...planned(repayLoan, {}), loanId: ELSEWHERE }])
        assert.deepStrictEqual(judgedBy(summary), untold)
    })

    it("needs no plan where exactly what was asked came back", () => {
      const returned = { RepayLoan: { ...emptied.RepayLoan, collateralCountToReturn: "499" } }
      assert.deepStrictEqual(told(repayLoan, returned), ["verified", undefined])
    })

    it("keeps the age that the plan knows of", () => {
      assert.deepStrictEqual(told(repayPart, emptied), untold)
      assert.deepStrictEqual(told(repayPart, emptied, planned(repayPart, {})), ["verified", undefined])
      assert.deepStrictEqual(told(repayPart, {}, planned(repayPart, { createdAt: "1" })), [
        "failed",
        "the RepayLoan event has another paidOffLoan"
      ])
    })
  })
})
