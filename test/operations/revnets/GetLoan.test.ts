import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { runGetLoan } from "../../../src/operations/revnets/get_loan/Run.ts"
import { type Contracts, CUTS, contracts, cuts, pinnedCatalog } from "../support/Contracts.ts"
import { known } from "../support/Known.ts"
import { NATIVE } from "../support/Revnets.ts"

const LOAN = 7_000_000_000_000_000_001n
const OWNER = "0x00000000000000000000000000000000000000AA"
const NOW = 1_700_000_000
const DURATION = 315_360_000

const input = { chainId: 1, loanId: String(LOAN) }

const loan = {
  amount: 1_000n,
  collateral: 10n ** 18n,
  createdAt: NOW - DURATION,
  prepaidFeePercent: 25,
  prepaidDuration: 1_000,
  sourceToken: NATIVE
}

const of = (name: string) => ({ contract: "REVLoans", function: name, args: [LOAN] })

const withLoan = (world: Contracts, told: typeof loan) =>
  world
    .says(of("loanOf"), told)
    .says({ contract: "REVLoans", function: "determineSourceFeeAmount", args: [told, told.amount] }, 33n)

const chain = Effect.map(contracts, world =>
  withLoan(world, loan)
    .says(of("ownerOf"), OWNER)
    .says(of("revnetIdOfLoanWith"), 7n)
    .says({ contract: "REVLoans", function: "LOAN_LIQUIDATION_DURATION" }, BigInt(DURATION))
)

describe("get_loan", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("answers a loan up to the second of its deadline, in three round trips", () =>
      Effect.gen(function* () {
        const world = yield* chain
        const { answer, roundTrips, untold } = yield* world.answers(runGetLoan, input)
        assert.deepStrictEqual([untold, roundTrips], [[], 3])
        assert.deepInclude(answer, {
          chainId: 1,
          loanId: String(LOAN),
          loan: {
            amount: "1000",
            collateral: String(10n ** 18n),
            createdAt: String(NOW - DURATION),
            prepaidFeePercent: "25",
            prepaidDuration: "1000",
            sourceToken: NATIVE
          },
          owner: known(OWNER),
          revnetId: known("7"),
          deadline: known(String(NOW)),
          expired: known(false),
          fullRepaymentSourceFee: known("33"),
          fullRepaymentAmount: known("1033")
        })
      })
    )

    it.effect("knows no cost of repaying an expired loan, and does not ask for it", () =>
      Effect.gen(function* () {
        const world = withLoan(yield* chain, { ...loan, createdAt: loan.createdAt - 1 })
        const { answer, roundTrips } = yield* world.answers(runGetLoan, input)
        const { expired, fullRepaymentSourceFee, fullRepaymentAmount } = Object(answer)
        assert.deepStrictEqual(expired, known(true))
        assert.strictEqual(roundTrips, 2)
        assert.strictEqual(fullRepaymentSourceFee.error.code, "LOAN_EXPIRED")
        assert.strictEqual(fullRepaymentAmount.error.code, "LOAN_EXPIRED")
      })
    )

    it.effect("refuses a loan that is not there, but not one that owes nothing", () =>
      Effect.gen(function* () {
        const world = withLoan(yield* chain, { ...loan, amount: 0n, createdAt: 0 })
        assert.strictEqual((yield* world.answers(runGetLoan, input)).refused, "INACTIVE_LOAN")
        const owing = withLoan(yield* chain, { ...loan, amount: 0n })
        assert.isUndefined((yield* owing.answers(runGetLoan, input)).refused)
      })
    )

    it.effect("says what it could not read", () =>
      Effect.gen(function* () {
        const world = yield* chain
        for (const [reply, code] of CUTS) {
          assert.deepStrictEqual(yield* cuts(world, runGetLoan, input, reply), {
            "REVLoans.loanOf": code,
            "REVLoans.ownerOf": [`owner: ${code}`],
            "REVLoans.revnetIdOfLoanWith": [`revnetId: ${code}`],
            "REVLoans.LOAN_LIQUIDATION_DURATION": [`deadline: ${code}`, `expired: ${code}`],
            "REVLoans.determineSourceFeeAmount": [
              `fullRepaymentSourceFee: ${code}`,
              `fullRepaymentAmount: ${code}`
            ]
          })
        }
      })
    )
  })
})
