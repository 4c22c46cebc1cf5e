import { encodeFunctionData, parseEther, zeroAddress } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { prepared, refused, relayed } from "../../support/PlanBench.ts"
import { newPayer } from "../../support/RelayBench.ts"
import { NATIVE_TOKEN } from "../../support/Sandbox.ts"
import type { Party } from "../../support/SignedFetch.ts"
import { known } from "../support/Known.ts"
import {
  abi,
  at,
  borrowing,
  granted,
  loanOf,
  loanOwner,
  newHolder,
  pass,
  proven,
  sent,
  startLoanBench,
  tokensOf
} from "../support/Loans.ts"

const bench = await startLoanBench()

afterAll(() => bench.stop())

const YEAR_SECONDS = 31_536_000
const REPAY_LOAN = 39
const COLLATERAL = parseEther("400")

const borrowed = async (over: object = {}) => {
  const holder = await newHolder(bench)
  const plan = await prepared(bench, holder, "prepare_borrow", borrowing(holder, over))
  const loanId = proven(await relayed(bench, holder, plan), "Borrow", "loanId")
  return { holder, loanId, loan: await loanOf(bench, loanId) }
}

const repaying = (account: Party, loanId: string, over: object = {}) => ({
  chainId: 31337,
  loanId,
  account: account.key.address,
  maxRepayBorrowAmount: String(parseEther("1")),
  collateralCountToReturn: String(COLLATERAL),
  beneficiary: account.key.address,
  ...over
})

/** A surplus that grows without new tokens lets the same collateral borrow more. */
const donated = (from: Party) => {
  const args = [4n, NATIVE_TOKEN, parseEther("1"), false, "", "0x"] as const
  const data = encodeFunctionData({ abi, functionName: "addToBalanceOf", args })
  return sent(bench, from, at(bench, "JBMultiTerminal"), data, parseEther("1"))
}

const totals = async () => {
  const [address, revnet] = [at(bench, "REVLoans"), 4n]
  const { client } = bench
  return [
    await client.readContract({
      address,
      abi,
      functionName: "totalBorrowedFrom",
      args: [revnet, NATIVE_TOKEN]
    }),
    await client.readContract({ address, abi, functionName: "totalCollateralOf", args: [revnet] })
  ] as const
}

describe("prepare_repay", () => {
  it("plans the whole repayment, also where what is left of the collateral borrows nothing; it ends the loan", async () => {
    const { holder, loanId, loan } = await borrowed()
    const { address } = holder.key
    const exact = await prepared(bench, holder, "prepare_repay", repaying(holder, loanId))
    assert.lengthOf(exact.warnings, 1)
    const [tokens, [debt, collateral]] = [await tokensOf(bench, address), await totals()]
    const nearly = { collateralCountToReturn: String(COLLATERAL - 1n) }
    const plan = await prepared(bench, holder, "prepare_repay", repaying(holder, loanId, nearly))
    assert.strictEqual(plan.operation, "repay_loan")
    assert.lengthOf(plan.warnings, 2)
    assert.lengthOf(plan.calls, 1)
    assert.strictEqual(plan.calls[0]?.value, String(parseEther("1")))
    assert.deepInclude(Object(plan.summary), {
      loanId,
      revnetId: "4",
      principal: String(loan.amount),
      sourceFee: "0",
      total: String(loan.amount),
      newDebt: "0",
      collateralReturned: String(COLLATERAL),
      full: true
    })
    const before = await bench.client.getBalance({ address })
    const closed = await relayed(bench, holder, plan)
    assert.strictEqual(proven(closed, "RepayLoan", "paidOffLoanId"), loanId)
    const spent = before - (await bench.client.getBalance({ address }))
    assert.isTrue(spent >= loan.amount && spent < loan.amount + parseEther("0.1"))
    assert.strictEqual(await tokensOf(bench, address), tokens + COLLATERAL)
    assert.deepStrictEqual(await totals(), [debt - loan.amount, collateral - COLLATERAL])
    assert.strictEqual(
      await refused(bench, holder, "prepare_repay", repaying(holder, loanId)),
      "INACTIVE_LOAN"
    )
    const shown = await bench.ask("get_loan", { chainId: 31337, loanId })
    assert.strictEqual(Object(shown.body).code, "INACTIVE_LOAN")
  })

  it("plans a repayment in part, after which a new loan of the same age holds the rest", async () => {
    const { holder, loanId, loan } = await borrowed()
    const { address } = holder.key
    const tokens = await tokensOf(bench, address)
    const half = COLLATERAL / 2n
    const input = repaying(holder, loanId, { collateralCountToReturn: String(half) })
    await prepared(bench, holder, "prepare_repay", input)
    const { value: plan, roundTrips } = await bench.node.during(() =>
      prepared(bench, holder, "prepare_repay", input)
    )
    assert.isAtMost(roundTrips, 3)
    const { principal, newDebt, full } = Object(plan.summary)
    assert.deepStrictEqual([full, BigInt(principal) + BigInt(newDebt)], [false, loan.amount])
    const next = proven(await relayed(bench, holder, plan), "RepayLoan", "paidOffLoanId")
    assert.notStrictEqual(next, loanId)
    assert.deepStrictEqual(await loanOf(bench, next), {
      ...loan,
      amount: BigInt(newDebt),
      collateral: COLLATERAL - half
    })
    assert.strictEqual(await loanOwner(bench, next), address)
    assert.strictEqual((await loanOf(bench, loanId)).amount, 0n)
    assert.strictEqual(await tokensOf(bench, address), tokens + half)
  })

  it("refuses too little, too much, and what the wallet has not", async () => {
    const { holder, loanId, loan } = await borrowed()
    const refusal = (over: object) => refused(bench, holder, "prepare_repay", repaying(holder, loanId, over))
    const short = String(loan.amount - 1n)
    assert.strictEqual(await refusal({ maxRepayBorrowAmount: short }), "INSUFFICIENT_REPAYMENT_MAXIMUM")
    const more = String(COLLATERAL + 1n)
    assert.strictEqual(await refusal({ collateralCountToReturn: more }), "EXCESS_COLLATERAL_RETURN")
    await donated(holder)
    const kept = { collateralCountToReturn: "0" }
    assert.strictEqual(await refusal(kept), "REMAINING_COLLATERAL_SUPPORTS_EXCESS_DEBT")
    const riches = String(10n ** 24n)
    assert.strictEqual(await refusal({ maxRepayBorrowAmount: riches }), "INSUFFICIENT_BALANCE")
    assert.strictEqual(await refusal({ beneficiary: zeroAddress }), "INVALID_INPUT")
    assert.strictEqual(await refusal({ loanId: "4000000999999999999" }), "INACTIVE_LOAN")
    assert.strictEqual(await refusal({ chainId: 1 }), "UNSUPPORTED_CHAIN")
  })

  it("adds what the time after the prepaid one costs, lets whom the owner permits repay, and refuses at last", async () => {
    const { holder, loanId, loan } = await borrowed()
    const operator = await newPayer(bench)
    await pass(bench, 2 * YEAR_SECONDS)
    const quoted = await bench.answer("get_loan", { chainId: 31337, loanId })
    const input = repaying(operator, loanId, {
      collateralCountToReturn: String(COLLATERAL / 2n),
      beneficiary: holder.key.address
    })
    assert.strictEqual(await refused(bench, operator, "prepare_repay", input), "MISSING_LOAN_PERMISSION")
    await granted(bench, holder, operator.key.address, [REPAY_LOAN])
    const { value: plan, roundTrips } = await bench.node.during(() =>
      prepared(bench, operator, "prepare_repay", input)
    )
    assert.isAtMost(roundTrips, 3)
    const { principal, sourceFee } = Object(plan.summary)
    assert.isAbove(Number(sourceFee), 0)
    assert.match(plan.warnings.join("\n"), /fee grows with every second/)
    assert.isBelow(Number(sourceFee), Number(Object(quoted.fullRepaymentSourceFee).value))
    assert.isBelow(Number(principal), Number(loan.amount))
    const closed = await relayed(bench, operator, plan)
    assert.strictEqual(proven(closed, "RepayLoan", "sourceFeeAmount"), sourceFee)
    const next = proven(closed, "RepayLoan", "paidOffLoanId")
    assert.strictEqual(await loanOwner(bench, next), holder.key.address)

    await pass(bench, 8 * YEAR_SECONDS + 60)
    assert.strictEqual(await refused(bench, holder, "prepare_repay", repaying(holder, next)), "LOAN_EXPIRED")
    const shown = await bench.answer("get_loan", { chainId: 31337, loanId: next })
    assert.deepStrictEqual(Object(shown).expired, known(true))
  })
})
