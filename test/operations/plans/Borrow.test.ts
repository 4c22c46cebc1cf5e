import { parseEther, zeroAddress } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { prepare, prepared, refused, relayed } from "../../support/PlanBench.ts"
import { newPayer } from "../../support/RelayBench.ts"
import { known } from "../support/Known.ts"
import {
  abi,
  at,
  borrowing,
  granted,
  loanOf,
  loanOwner,
  newHolder,
  proven,
  startLoanBench,
  tokensOf
} from "../support/Loans.ts"

const bench = await startLoanBench()

afterAll(() => bench.stop())

const BURN_TOKENS = 11
const OPEN_LOAN = 37
const COLLATERAL = parseEther("400")
const BENEFICIARY = "0x00000000000000000000000000000000000000bb"

describe("prepare_borrow", () => {
  it("plans the missing permission and the loan, and keeps what was permitted; the relay proves both", async () => {
    const holder = await newHolder(bench)
    const { address } = holder.key
    const loans = at(bench, "REVLoans")
    await granted(bench, holder, loans, [4])
    const tokens = await tokensOf(bench, address)
    const balance = await bench.client.getBalance({ address: BENEFICIARY })
    const input = borrowing(holder, { beneficiary: BENEFICIARY, slippageBps: 250 })
    const plan = await prepared(bench, holder, "prepare_borrow", input)
    assert.deepStrictEqual(
      [plan.operation, plan.calls.map(({ decoded }) => decoded.function.split("(")[0])],
      ["borrow", ["setPermissionsFor", "borrowFrom"]]
    )
    assert.deepStrictEqual(plan.calls[1]?.dependsOn, [0])
    assert.lengthOf(plan.warnings, 7)
    const summary = Object(plan.summary)
    const gross = BigInt(summary.availableGrossDebt)
    assert.strictEqual(BigInt(summary.minimumBorrowAmount), (gross * 9_750n) / 10_000n)
    assert.deepStrictEqual(summary.burnPermission.granted, known(false))
    assert.lengthOf(summary.simulation, 1)

    const loanId = proven(await relayed(bench, holder, plan), "Borrow", "loanId")
    const loan = await loanOf(bench, loanId)
    assert.deepInclude(loan, { amount: gross, collateral: COLLATERAL, prepaidFeePercent: 25 })
    assert.strictEqual(await loanOwner(bench, loanId), address)
    assert.strictEqual(await tokensOf(bench, address), tokens - COLLATERAL)
    const received = (await bench.client.getBalance({ address: BENEFICIARY })) - balance
    assert.strictEqual(received, BigInt(summary.liquidProceeds.value.min))
    const permitted = await bench.client.readContract({
      address: at(bench, "JBPermissions"),
      abi,
      functionName: "permissionsOf",
      args: [loans, address, 4n]
    })
    assert.strictEqual(permitted, (1n << 4n) | (1n << BigInt(BURN_TOKENS)))
    const shown = await bench.answer("get_loan", { chainId: 31337, loanId })
    assert.deepInclude(Object(shown), { owner: known(address), fullRepaymentAmount: known(String(gross)) })
  })

  it("plans the loan alone where the permission is there, simulated and in three round trips", async () => {
    const holder = await newHolder(bench)
    await granted(bench, holder, at(bench, "REVLoans"), [BURN_TOKENS])
    const input = borrowing(holder)
    await prepared(bench, holder, "prepare_borrow", input)
    const { value: plan, roundTrips } = await bench.node.during(() =>
      prepared(bench, holder, "prepare_borrow", input)
    )
    assert.isAtMost(roundTrips, 3)
    assert.lengthOf(plan.calls, 1)
    const [simulated] = Object(plan.summary).simulation
    assert.strictEqual(simulated.returned.status, "known")
    const collateral = BigInt(Object(plan.summary).collateralCount)
    const loanId = proven(await relayed(bench, holder, plan), "Borrow", "loanId")
    assert.strictEqual((await loanOf(bench, loanId)).collateral, collateral)
  })

  it("lets an account borrow for a holder who permits it; the loan is the holder's", async () => {
    const [holder, operator] = [await newHolder(bench), await newPayer(bench)]
    const input = borrowing(holder, { account: operator.key.address, beneficiary: operator.key.address })
    const refusal = () => refused(bench, operator, "prepare_borrow", input)
    assert.strictEqual(await refusal(), "MISSING_LOAN_PERMISSION")
    await granted(bench, holder, operator.key.address, [OPEN_LOAN])
    assert.strictEqual(await refusal(), "HOLDER_BURN_GRANT_REQUIRED")
    await granted(bench, holder, at(bench, "REVLoans"), [BURN_TOKENS])
    const plan = await prepared(bench, operator, "prepare_borrow", input)
    assert.lengthOf(plan.calls, 1)
    const loanId = proven(await relayed(bench, operator, plan), "Borrow", "loanId")
    assert.strictEqual(await loanOwner(bench, loanId), holder.key.address)
  })

  it("refuses what borrows nothing, from whom has not enough, and from what is no revnet or no source", async () => {
    const holder = await newHolder(bench)
    const refusal = (over: object) => refused(bench, holder, "prepare_borrow", borrowing(holder, over))
    const tokens = await tokensOf(bench, holder.key.address)
    assert.strictEqual(await refusal({ collateralCount: String(tokens + 1n) }), "INSUFFICIENT_COLLATERAL")
    assert.strictEqual(await refusal({ collateralCount: "1" }), "NOTHING_BORROWABLE")
    assert.strictEqual(await refusal({ project: { chainId: 31337, projectId: "2" } }), "NOT_A_REVNET")
    assert.strictEqual(await refusal({ token: bench.manifest.seeded.token }), "INVALID_LOAN_SOURCE")
    assert.strictEqual(await refusal({ project: { chainId: 1, projectId: "4" } }), "UNSUPPORTED_CHAIN")
    assert.strictEqual(await refusal({ account: bench.holder.key.address }), "PLAN_ACCOUNT_MISMATCH")
    assert.strictEqual(await refusal({ prepaidFeePercent: 24 }), "INVALID_INPUT")
    assert.strictEqual(await refusal({ beneficiary: zeroAddress }), "INVALID_INPUT")
  })

  it("refuses a loan that would revert, with the decoded revert", async () => {
    const holder = await newHolder(bench)
    await granted(bench, holder, at(bench, "REVLoans"), [BURN_TOKENS])
    const input = borrowing(holder, { beneficiary: at(bench, "JBController") })
    const { status, body } = await prepare(bench, holder, "prepare_borrow", input)
    assert.deepStrictEqual([status, Object(body).code], [422, "SIMULATION_REVERTED"])
    assert.include(JSON.stringify(Object(body).context), "FailedCall")
  })
})
