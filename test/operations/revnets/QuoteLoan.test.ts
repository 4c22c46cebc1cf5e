import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { runQuoteLoan } from "../../../src/operations/revnets/quote_loan/Run.ts"
import { type Contracts, CUTS, cuts, pinnedCatalog } from "../support/Contracts.ts"
import { known } from "../support/Known.ts"
import { DEPENDENCIES, NATIVE, PROJECT, revnet, STRANGER, ZERO } from "../support/Revnets.ts"

const HOLDER = "0x00000000000000000000000000000000000000AA"
const BENEFICIARY = "0x00000000000000000000000000000000000000bb"
const COLLATERAL = 5n * 10n ** 18n
const TEN_YEARS = 315_360_000n
const REV_ID = 3n
const CURRENCY = 61_166n
const GROSS = 1_000_039n

const input = {
  project: { chainId: 1, projectId: "7" },
  holder: HOLDER,
  token: NATIVE,
  collateralCount: String(COLLATERAL),
  prepaidFeePercent: 25,
  beneficiary: BENEFICIARY
}

const context = {
  contract: "JBMultiTerminal",
  function: "accountingContextForTokenOf",
  args: [PROJECT, NATIVE]
}
const borrowable = {
  contract: "REVLoans",
  function: "borrowableAmountFrom",
  args: [PROJECT, COLLATERAL, 18n, CURRENCY]
}
const surplus = {
  contract: "JBMultiTerminal",
  function: "currentSurplusOf",
  args: [PROJECT, [NATIVE], 18n, CURRENCY]
}
const revTerminal = { contract: "JBDirectory", function: "primaryTerminalOf", args: [REV_ID, NATIVE] }
const loans = (getter: string) => ({ contract: "REVLoans", function: getter })
const feeless = (world: Contracts, who: string) => ({
  contract: "JBFeelessAddresses",
  function: "isFeelessFor",
  args: [world.at(who), PROJECT, world.at("REVLoans")]
})
const permission = (world: Contracts) => ({
  contract: "JBPermissions",
  function: "hasPermission",
  args: [world.at("REVLoans"), HOLDER, PROJECT, 11n, true, true]
})
const held = (world: Contracts) => ({
  contract: "JBPermissions",
  function: "permissionsOf",
  args: [world.at("REVLoans"), HOLDER, PROJECT]
})

const chain = Effect.map(revnet, world =>
  world
    .says(context, { token: NATIVE, decimals: 18, currency: Number(CURRENCY) })
    .says(loans("REV_ID"), REV_ID)
    .says(loans("MIN_PREPAID_FEE_PERCENT"), 25n)
    .says(loans("MAX_PREPAID_FEE_PERCENT"), 500n)
    .says(loans("REV_PREPAID_FEE_PERCENT"), 10n)
    .says(loans("LOAN_LIQUIDATION_DURATION"), TEN_YEARS)
    .says(feeless(world, "REVOwner"), false)
    .says(feeless(world, "REVLoans"), false)
    .says(permission(world), false)
    .says(held(world), (1n << 4n) | (1n << 37n))
    .says({ contract: "JBTokens", function: "totalBalanceOf", args: [HOLDER, PROJECT] }, COLLATERAL * 2n)
    .says(borrowable, [GROSS, GROSS * 2n])
    .says(surplus, GROSS)
    .says(revTerminal, world.at("JBMultiTerminal"))
)

const changed = Effect.fn("changed")(function* (change: (world: Contracts) => Contracts) {
  const { answer, refused } = yield* (yield* Effect.map(chain, change)).answers(runQuoteLoan, input)
  return { answer: Object(answer), refused }
})

describe("quote_loan", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("answers what the collateral borrows, in two round trips", () =>
      Effect.gen(function* () {
        const world = yield* chain
        const { answer, roundTrips, untold } = yield* world.answers(runQuoteLoan, input)
        assert.deepStrictEqual([untold, roundTrips], [[], 2])
        const step = yield* Object.assign(world, { foresees: false }).answers(runQuoteLoan, input)
        assert.deepStrictEqual([step.answer, step.roundTrips], [answer, 3])
        assert.deepInclude(answer, {
          operation: "borrow",
          holder: HOLDER,
          account: null,
          token: NATIVE,
          tokenDecimals: "18",
          accountingCurrency: String(CURRENCY),
          collateralCount: String(COLLATERAL),
          holderBalance: known(String(COLLATERAL * 2n)),
          availableGrossDebt: String(GROSS),
          grossEconomicCapacity: String(GROSS * 2n),
          sourceTokenSurplus: String(GROSS),
          protocolFee: known("25000"),
          revFee: known("10000"),
          sourceFee: "25000",
          liquidProceeds: known({ min: "940039", max: "975039" }),
          prepaidFeePercent: 25,
          prepaidDuration: String(TEN_YEARS / 20n),
          liquidationDuration: String(TEN_YEARS),
          nftRecipient: HOLDER,
          beneficiary: BENEFICIARY
        })
        assert.deepStrictEqual(Object(answer).burnPermission, {
          granted: known(false),
          proposal: known({
            account: HOLDER,
            operator: world.at("REVLoans"),
            projectId: "7",
            addedPermissionIds: [11],
            preserved: [4, 37],
            resulting: [4, 11, 37]
          })
        })
        assert.strictEqual(Object(answer).warnings.length, 4)
      })
    )

    it.effect("leaves out what nobody takes and what was granted", () =>
      Effect.gen(function* () {
        for (const who of ["REVOwner", "REVLoans"]) {
          const { answer } = yield* changed(world => world.says(feeless(world, who), true))
          assert.deepStrictEqual(answer.protocolFee, known("0"), who)
          assert.deepStrictEqual(answer.liquidProceeds, known({ min: "965039", max: "1000039" }), who)
        }
        const { answer: unpaid } = yield* changed(world => world.says(revTerminal, ZERO))
        assert.deepStrictEqual(unpaid.revFee, known("0"))
        const { answer: granted } = yield* changed(world => world.says(permission(world), true))
        assert.deepStrictEqual(granted.burnPermission, { granted: known(true), proposal: known(null) })
        const { answer: nothing } = yield* changed(world => world.says(borrowable, [0n, 0n]))
        assert.strictEqual(nothing.availableGrossDebt, "0")
        assert.strictEqual(nothing.warnings.length, 5)
      })
    )

    it.effect("refuses sources, fees and debts that it cannot vouch for", () =>
      Effect.gen(function* () {
        const refusals = {
          INVALID_LOAN_SOURCE: (world: Contracts) =>
            world.says(context, { token: ZERO, decimals: 0, currency: 0 }),
          INSUFFICIENT_LOAN_SOURCE_SURPLUS: (world: Contracts) => world.says(surplus, GROSS - 1n),
          UNSUPPORTED_REVNET_CONFIGURATION: (world: Contracts) => world.says(loans("TERMINAL"), STRANGER)
        }
        for (const [code, change] of Object.entries(refusals)) {
          assert.strictEqual((yield* changed(change)).refused, code)
        }
        const percents = ["MIN_PREPAID_FEE_PERCENT", "MAX_PREPAID_FEE_PERCENT", "REV_PREPAID_FEE_PERCENT"]
        for (const getter of percents) {
          const { refused } = yield* changed(world => world.says(loans(getter), 26n))
          assert.strictEqual(refused, "UNSUPPORTED_LOAN_FEES", getter)
        }
      })
    )

    it.effect("says what it could not read, and refuses where that is the quote itself", () =>
      Effect.gen(function* () {
        const world = Object.assign(yield* chain, { foresees: false })
        for (const [reply, code] of CUTS) {
          const feelessness = [`protocolFee: ${code}`, `liquidProceeds: ${code}`]
          assert.deepStrictEqual(yield* cuts(world, runQuoteLoan, input, reply), {
            ...Object.fromEntries(DEPENDENCIES.map(([getter]) => [`REVDeployer.${getter}`, code])),
            "REVDeployer.hashedEncodedConfigurationOf": code,
            "JBProjects.ownerOf": code,
            "JBDirectory.controllerOf": code,
            "JBController.currentRulesetOf": code,
            "REVLoans.TERMINAL": code,
            "JBMultiTerminal.accountingContextForTokenOf": code,
            "REVLoans.MIN_PREPAID_FEE_PERCENT": code,
            "REVLoans.MAX_PREPAID_FEE_PERCENT": code,
            "REVLoans.REV_PREPAID_FEE_PERCENT": code,
            "REVLoans.LOAN_LIQUIDATION_DURATION": code,
            "REVLoans.borrowableAmountFrom": code,
            "JBMultiTerminal.currentSurplusOf": code,
            "REVLoans.REV_ID": [`revFee: ${code}`, `liquidProceeds: ${code}`],
            "JBDirectory.primaryTerminalOf": [`revFee: ${code}`, `liquidProceeds: ${code}`],
            "JBFeelessAddresses.isFeelessFor": feelessness,
            "JBFeelessAddresses.isFeelessFor#2": feelessness,
            "JBTokens.totalBalanceOf": [`holderBalance: ${code}`],
            "JBPermissions.hasPermission": [
              `burnPermission.granted: ${code}`,
              `burnPermission.proposal: ${code}`
            ],
            "JBPermissions.permissionsOf": [`burnPermission.proposal: ${code}`]
          })
        }
      })
    )
  })
})
