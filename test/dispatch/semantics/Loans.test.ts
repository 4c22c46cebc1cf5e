/** Events that agree with each other but not with what was planned. */
import { assert, describe, it } from "vitest"
import { borrow, repayLoan, repayPart } from "./support/LoanScenarios.ts"
import { type Fields, judged, logsOf } from "./support/Receipts.ts"
import type { Scenario } from "./support/Scenario.ts"

const LOAN_ID = "7000000000003"
const ELSEWHERE = "8000000000003"

const told = ({ call, emissions }: Scenario, changes: Readonly<Record<string, Fields>>) => {
  const logs = logsOf(
    emissions.map(emission => ({ ...emission, fields: { ...emission.fields, ...changes[emission.event] } }))
  )
  const { status, reason } = judged(call, logs)
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

  it("in part leaves the rest to another loan of the same revnet", () => {
    for (const id of [LOAN_ID, ELSEWHERE])
      assert.deepStrictEqual(
        told(repayPart, { RepayLoan: { paidOffLoanId: id }, Transfer: { tokenId: id } }),
        ["failed", "the RepayLoan event has another paidOffLoanId"]
      )
  })
})
