/** Loans as the deployed contract lent them and took them back. */
import { Schema } from "effect"
import { assert, describe, it } from "vitest"
import { loanFees, prepaidDuration } from "../../src/operations/shared/economics/Loans.ts"
import { isLoanOf, revnetOfLoan } from "../../src/protocol/LoanIds.ts"
import { judgedRecording, rawLogs } from "./Judged.ts"
import { type Call, type RecordedLog, recordingOf } from "./Recording.ts"

const TEN_YEARS = 315_360_000n

const calls = ["loans", "loans-late", "revnet-shop-usdc"].flatMap(scenario =>
  recordingOf(scenario).transactions.map(call => ({
    ...call,
    title: `${scenario} ${call.index} ${call.note}`
  }))
)

const done = (name: string) =>
  calls.filter(call => call.revert === undefined && call.function.startsWith(`${name}(`))

const nameOf = ({ event }: RecordedLog): string => event.slice(0, event.indexOf("("))

const told = (call: Call, event: string): Readonly<Record<string, unknown>> =>
  call.logs.find(log => nameOf(log) === event)?.args ?? assert.fail(`no ${event} of ${call.note}`)

const Amounts = Schema.decodeUnknownSync(
  Schema.Struct({ repayBorrowAmount: Schema.BigInt, sourceFeeAmount: Schema.BigInt })
)
const Loan = Schema.decodeUnknownSync(
  Schema.Struct({
    amount: Schema.BigInt,
    prepaidFeePercent: Schema.BigInt,
    prepaidDuration: Schema.BigInt
  })
)

const amountOf = (value: unknown): bigint => BigInt(String(value))

describe.each(done("borrowFrom"))("a loan: $title", call => {
  const { loanId, revnetId, loan, sourceFeeAmount } = told(call, "Borrow")
  const { amount: gross, prepaidFeePercent, prepaidDuration: duration } = Loan(loan)
  const paidTo = (projectId: string) => (log: RecordedLog) =>
    nameOf(log) === "Pay" && log.args.projectId === projectId && log.args.caller === call.address
  const paid = (projectId: string) => amountOf(call.logs.find(paidTo(projectId))?.args.amount ?? 0)
  const { protocol, rev, source } = loanFees({ gross, prepaidFeePercent, isFeeless: false, paysRev: true })

  it("is verified, and numbered within its revnet", () => {
    const { status, reason } = judgedRecording(call)
    assert.deepStrictEqual([status, reason], ["verified", undefined])
    assert.isTrue(isLoanOf(String(revnetId))(loanId))
    assert.strictEqual(revnetOfLoan(String(loanId)), revnetId)
  })

  it("is in doubt where its number is none of its revnet", () => {
    const elsewhere = String(amountOf(loanId) * 10n)
    const logs = call.logs.map(log => {
      const { args } = log
      const moved = Object.entries(args).map(([name, value]) => [name, value === loanId ? elsewhere : value])
      return { ...log, args: Object.fromEntries(moved) }
    })
    const { status, reason } = judgedRecording(call, rawLogs({ ...call, logs }))
    assert.deepStrictEqual([status, reason], ["unknown", "the Borrow event has another loanId"])
  })

  it("has the fees and the prepaid time that a quote foretells", () => {
    assert.strictEqual(source, amountOf(sourceFeeAmount))
    assert.strictEqual(paid(String(revnetId)), source)
    assert.include([0n, rev], paid("3"))
    assert.strictEqual(prepaidDuration(prepaidFeePercent, TEN_YEARS), duration)
    const { amountPaidOut, netAmountPaidOut } = told(call, "UseAllowance")
    assert.strictEqual(amountOf(amountPaidOut) - amountOf(netAmountPaidOut), protocol)
  })
})

describe.each(done("repayLoan"))("a repayment: $title", call => {
  const repaid = told(call, "RepayLoan")
  const { repayBorrowAmount: total, sourceFeeAmount: fee } = Amounts(repaid)
  const gone = Loan(repaid.loan).amount - Loan(repaid.paidOffLoan).amount
  const upTo = (most: bigint) => {
    const args = call.args.with(1, String(most))
    const { status, reason } = judgedRecording({ ...call, args }, rawLogs(call))
    return [status, reason]
  }

  it("is of the debt that is gone and the fee, and nothing else", () => {
    assert.strictEqual(total - fee, gone)
    assert.strictEqual(amountOf(told(call, "AddToBalance").amount), gone)
  })

  it("is verified up to the exact maximum", () => {
    assert.deepStrictEqual(upTo(amountOf(call.args[1])), ["verified", undefined])
    assert.deepStrictEqual(upTo(total), ["verified", undefined])
    const less = ["unknown", "the RepayLoan event has another repayBorrowAmount"]
    assert.deepStrictEqual(upTo(total - 1n), less)
  })

  it("is in doubt where what was repaid leaves out the fee", () => {
    const without = { repayBorrowAmount: String(gone) }
    const logs = call.logs.map(log =>
      nameOf(log) === "RepayLoan" ? { ...log, args: { ...log.args, ...without } } : log
    )
    const { status } = judgedRecording(call, rawLogs({ ...call, logs }))
    assert.strictEqual(status, fee === 0n ? "verified" : "unknown")
  })
})

describe("recorded repayments", () => {
  it("are some with a fee, some in part and some of the whole", () => {
    const fees = done("repayLoan").map(call => Amounts(told(call, "RepayLoan")).sourceFeeAmount)
    assert.isAtLeast(fees.filter(fee => fee > 0n).length, 2)
    assert.isAtLeast(fees.filter(fee => fee === 0n).length, 2)
  })
})
