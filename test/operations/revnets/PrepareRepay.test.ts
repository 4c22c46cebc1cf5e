/** Refusals that a chain on which all goes well does not come to. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Schema } from "effect"
import { runPrepareRepay } from "../../../src/operations/revnets/prepare_repay/Run.ts"
import { PinnedContracts } from "../../../src/protocol/PinnedContracts.ts"
import { recordingOf } from "../../observed/Recording.ts"
import { type Contracts, contracts, pinnedCatalog, REFUSED } from "../support/Contracts.ts"
import { NATIVE, STRANGER } from "../support/Revnets.ts"

const Recorded = Schema.Struct({
  amount: Schema.BigInt,
  collateral: Schema.BigInt,
  createdAt: Schema.BigInt,
  prepaidFeePercent: Schema.BigInt,
  prepaidDuration: Schema.BigInt
})
const Repaid = Schema.decodeUnknownSync(
  Schema.Struct({
    loan: Recorded,
    paidOffLoan: Recorded,
    repayBorrowAmount: Schema.BigInt,
    sourceFeeAmount: Schema.BigInt
  })
)

const LOAN = 7_000_000_000_000_000_001n
const OWNER = "0x00000000000000000000000000000000000000AA"
const NOW = 1_700_000_000
const DURATION = 315_360_000n
const AMOUNT = 1_000n
const COLLATERAL = 500n
const CURRENCY = 61_166

const loan = {
  amount: AMOUNT,
  collateral: COLLATERAL,
  createdAt: NOW - 1_000,
  prepaidFeePercent: 25,
  prepaidDuration: 100,
  sourceToken: NATIVE
}

/** The scripted chain knows the answers to questions alone. */
const NOT_CARRIED_OUT = "SIMULATION_REVERTED"

const input = {
  chainId: 1,
  loanId: String(LOAN),
  account: OWNER,
  maxRepayBorrowAmount: "2000",
  collateralCountToReturn: "200",
  beneficiary: STRANGER
}

const of = (name: string) => ({ contract: "REVLoans", function: name, args: [LOAN] })

const capacity = (world: Contracts, left: bigint, debt: bigint) =>
  world.says(
    { contract: "REVLoans", function: "borrowableAmountFrom", args: [7n, left, 18n, BigInt(CURRENCY)] },
    [0n, debt]
  )

const fee = (world: Contracts, principal: bigint, amount: bigint) =>
  world.says({ contract: "REVLoans", function: "determineSourceFeeAmount", args: [loan, principal] }, amount)

const chain = Effect.map(contracts, world => {
  const told = world
    .says(of("loanOf"), loan)
    .says(of("ownerOf"), OWNER)
    .says(of("revnetIdOfLoanWith"), 7n)
    .says({ contract: "REVLoans", function: "LOAN_LIQUIDATION_DURATION" }, DURATION)
    .says({ contract: "REVOwner", function: "cashOutDelayOf", args: [7n] }, BigInt(NOW))
    .says(
      { contract: "JBMultiTerminal", function: "accountingContextForTokenOf", args: [7n, NATIVE] },
      { token: NATIVE, decimals: 18, currency: CURRENCY }
    )
  return fee(capacity(told, 300n, 600n), 400n, 36n)
})

const refusal = (world: Contracts, over: object = {}) =>
  Effect.gen(function* () {
    const pinned = yield* Effect.fromNullable(world.pinned)
    const { draft } = yield* runPrepareRepay.prepare({ ...input, ...over })
    const result = yield* Effect.either(Effect.provideService(draft, PinnedContracts, pinned))
    return Either.isLeft(result) ? result.left._tag : undefined
  })

/** The loan, what stayed of it and what was charged, as the deployed contract took a repayment. */
const recorded = recordingOf("loans-late").transactions.flatMap(({ args, logs, note }) =>
  logs.flatMap(({ event, args: told }) =>
    event.startsWith("RepayLoan(") ? [{ note, returned: String(args[2]), told: Repaid(told) }] : []
  )
)

const asRecorded = (world: Contracts, { returned, told }: (typeof recorded)[number]) => {
  const { loan: lent, paidOffLoan, sourceFeeAmount } = told
  const whole = {
    ...lent,
    createdAt: Number(lent.createdAt),
    sourceToken: NATIVE,
    prepaidFeePercent: Number(lent.prepaidFeePercent),
    prepaidDuration: Number(lent.prepaidDuration)
  }
  const principal = lent.amount - paidOffLoan.amount
  const lending = world
    .says(of("loanOf"), whole)
    .says(
      { contract: "REVLoans", function: "determineSourceFeeAmount", args: [whole, principal] },
      sourceFeeAmount
    )
  return capacity(lending, lent.collateral - BigInt(returned), paidOffLoan.amount)
}

describe("prepare_repay", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("charges to the last unit what the deployed contract charged", () =>
      Effect.gen(function* () {
        assert.strictEqual(recorded.length, 2)
        for (const each of recorded) {
          const world = asRecorded(yield* chain, each)
          const total = each.told.repayBorrowAmount
          const asked = { collateralCountToReturn: each.returned }
          const short = { ...asked, maxRepayBorrowAmount: String(total - 1n) }
          assert.strictEqual(yield* refusal(world, short), "INSUFFICIENT_REPAYMENT_MAXIMUM", each.note)
          const exact = { ...asked, maxRepayBorrowAmount: String(total) }
          assert.strictEqual(yield* refusal(world, exact), NOT_CARRIED_OUT, each.note)
        }
      })
    )

    it.effect("refuses a part whose price cannot be had yet, but not the whole", () =>
      Effect.gen(function* () {
        const waiting = (yield* chain).says(
          { contract: "REVOwner", function: "cashOutDelayOf", args: [7n] },
          BigInt(NOW) + 1n
        )
        assert.strictEqual(yield* refusal(waiting), "PARTIAL_REPAY_QUOTE_UNAVAILABLE")
        const whole = { collateralCountToReturn: String(COLLATERAL), maxRepayBorrowAmount: "1" }
        const priced = fee(waiting, AMOUNT, 90n)
        assert.strictEqual(yield* refusal(priced, whole), "INSUFFICIENT_REPAYMENT_MAXIMUM")
      })
    )

    it.effect("prices the whole also where the delay cannot be read, but no part", () =>
      Effect.gen(function* () {
        const silent = fee(yield* chain, AMOUNT, 90n).tells(
          { contract: "REVOwner", function: "cashOutDelayOf", args: [7n] },
          REFUSED
        )
        assert.strictEqual(yield* refusal(silent), "RPC_UNAVAILABLE")
        const whole = { collateralCountToReturn: String(COLLATERAL) }
        assert.strictEqual(yield* refusal(silent, whole), NOT_CARRIED_OUT)
      })
    )

    it.effect("refuses to repay and return nothing, or less than nothing", () =>
      Effect.gen(function* () {
        const kept = { collateralCountToReturn: "0" }
        const world = yield* chain
        assert.strictEqual(yield* refusal(capacity(world, COLLATERAL, AMOUNT), kept), "NOTHING_TO_REPAY")
        assert.strictEqual(
          yield* refusal(capacity(world, COLLATERAL, AMOUNT + 1n), kept),
          "REMAINING_COLLATERAL_SUPPORTS_EXCESS_DEBT"
        )
      })
    )

    it.effect("counts the fee towards the maximum, to the last unit", () =>
      Effect.gen(function* () {
        const world = yield* chain
        const short = { maxRepayBorrowAmount: "435" }
        assert.strictEqual(yield* refusal(world, short), "INSUFFICIENT_REPAYMENT_MAXIMUM")
        assert.strictEqual(yield* refusal(world, { maxRepayBorrowAmount: "436" }), NOT_CARRIED_OUT)
      })
    )

    it.effect("prices all of the debt where what is left of the collateral borrows nothing", () =>
      Effect.gen(function* () {
        const world = fee(capacity(yield* chain, 300n, 0n), AMOUNT, 90n)
        const short = { maxRepayBorrowAmount: "1089" }
        assert.strictEqual(yield* refusal(world, short), "INSUFFICIENT_REPAYMENT_MAXIMUM")
        assert.strictEqual(yield* refusal(world, { maxRepayBorrowAmount: "1090" }), NOT_CARRIED_OUT)
      })
    )
  })
})
