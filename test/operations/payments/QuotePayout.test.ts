import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { runQuotePayout } from "../../../src/operations/payments/quote_payout/Run.ts"
import { cuts, overtaken, pinnedCatalog, REFUSED } from "../support/Contracts.ts"
import {
  ACCOUNT,
  accountingContext,
  controllerOf,
  currentRulesetOf,
  isTerminalOf
} from "../support/Payments.ts"
import {
  chain,
  input,
  limitOf,
  NATIVE_CURRENCY,
  PAID,
  payout,
  quoted,
  refusal,
  splitsOf,
  transferred,
  unforeseen,
  usedOf
} from "../support/Payouts.ts"
import { metadata, NATIVE, ruleset, STRANGER, ZERO } from "../support/Revnets.ts"

describe("quote_payout", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("answers what would be paid out and how it is divided, in three round trips", () =>
      Effect.gen(function* () {
        const world = yield* chain
        const { answer, roundTrips, untold } = yield* quoted(world)
        assert.deepStrictEqual([untold, roundTrips], [[], 3])
        const { distribution, warnings, ...rest } = Object(answer)
        assert.deepInclude(rest, {
          operation: "payout",
          account: ACCOUNT,
          terminal: world.at("JBMultiTerminal"),
          token: NATIVE,
          tokenDecimals: "18",
          amount: "1000",
          currency: NATIVE_CURRENCY,
          amountPaidOut: "1000",
          minimumTokensPaidOut: "1000",
          ownerMustSendPayouts: false,
          payoutLimit: { status: "known", value: { limit: "5000", used: "1000", left: "4000" } },
          rulesetId: String(ruleset().id)
        })
        const { splits, owner, fee } = distribution.value
        assert.deepStrictEqual(
          splits.map((paid: { amount: string; netAfterFee: string }) => [paid.amount, paid.netAfterFee]),
          [
            ["500", "488"],
            ["333", "325"]
          ]
        )
        assert.deepStrictEqual([owner, fee], [{ amount: "167", netAfterFee: "163", failure: PAID }, "24"])
        assert.deepInclude(distribution.value, { feeIsHeld: false, returned: "0" })
        assert.strictEqual(warnings.length, 2)
      })
    )

    it.effect("says that the limit leaves less than was asked for, in any currency", () =>
      Effect.gen(function* () {
        const own = (yield* chain).says(payout(), 500n).says(usedOf(yield* chain), 4_500n)
        const { answer } = yield* quoted(own.says(splitsOf, []).says(transferred(500n), []))
        assert.deepInclude(Object(answer), {
          amount: "1000",
          amountPaidOut: "500",
          minimumTokensPaidOut: "500"
        })
        assert.match(Object(answer).warnings[0], /leaves 500 of the 1000 that were asked for/)
        const world = yield* chain
        const other = world.says(payout(2), 3n).says(limitOf(world, 2), 900n).says(usedOf(world, 2), 0n)
        const { answer: priced } = yield* quoted(other, { currency: 2 })
        assert.match(Object(priced).warnings[0], /leaves 900 of the 1000 that were asked for/)
      })
    )

    it.effect("tells why nothing would be paid out", () =>
      Effect.gen(function* () {
        const why = Effect.fnUntraced(function* (limit: bigint, used: bigint) {
          const world = (yield* chain).says(payout(), 0n)
          world.says(limitOf(world), limit).says(usedOf(world), used)
          return (yield* quoted(world)).detail ?? ""
        })
        assert.match(yield* why(0n, 0n), /no payout limit for this token in this currency/)
        assert.match(yield* why(5n, 5n), /limit of the running cycle is used up/)
        assert.match(yield* why(5n, 1n), /smallest unit/)
      })
    )

    it.effect("allows the slippage only where a price stands between amount and account", () =>
      Effect.gen(function* () {
        const world = (yield* chain).says(payout(2), 500n)
        const { answer } = yield* quoted(world, { currency: 2, slippageBps: 200 })
        assert.deepInclude(Object(answer), { amountPaidOut: "500", minimumTokensPaidOut: "490" })
      })
    )

    it.effect("says where only the owner may send them", () =>
      Effect.gen(function* () {
        const world = (yield* chain).says(currentRulesetOf, [
          ruleset(),
          metadata({ ownerMustSendPayouts: true })
        ])
        const { answer } = yield* quoted(world)
        assert.isTrue(Object(answer).ownerMustSendPayouts)
        assert.match(Object(answer).warnings.at(-1), /owner/)
      })
    )

    it.effect("refuses what the project or its terminal do not allow, and to pay out nothing", () =>
      Effect.gen(function* () {
        const world = yield* chain
        assert.strictEqual(yield* refusal(world, { terminal: STRANGER }), "UNSUPPORTED_TERMINAL")
        const cases = [
          [(yield* chain).says(controllerOf, ZERO), "PROJECT_WITHOUT_CONTROLLER"],
          [(yield* chain).says(controllerOf, STRANGER), "UNSUPPORTED_CONFIGURATION"],
          [(yield* chain).says(currentRulesetOf, [ruleset({ id: 0 }), metadata()]), "NO_ACTIVE_RULESET"],
          [(yield* chain).says(isTerminalOf(world), false), "TERMINAL_NOT_REGISTERED"],
          [
            (yield* chain).says(accountingContext, { token: ZERO, decimals: 0, currency: 0 }),
            "TOKEN_NOT_ACCEPTED"
          ],
          [(yield* chain).says(payout(), 0n), "NOTHING_TO_PAY_OUT"]
        ] as const
        for (const [changed, code] of cases) assert.strictEqual(yield* refusal(changed), code)
      })
    )

    it.effect(
      "does not know how the amount is divided where the splits cannot be read, and is refused else",
      () =>
        Effect.gen(function* () {
          const names = [
            "JBDirectory.controllerOf",
            "JBController.currentRulesetOf",
            "JBDirectory.isTerminalOf",
            "JBMultiTerminal.accountingContextForTokenOf",
            "JBMultiTerminal.sendPayoutsOf"
          ]
          const all = (code: string) => Object.fromEntries(names.map(name => [name, code]))
          const unknown = (code: string) => ({
            ...Object.fromEntries(
              [
                "JBSplits.splitsOf",
                "JBProjects.ownerOf",
                "JBMultiTerminal.FEELESS_ADDRESSES",
                "JBFeelessAddresses.isFeelessFor",
                "JBFeelessAddresses.isFeelessFor#2"
              ].map(name => [name, [`distribution: ${code}`, "warnings.2 changed"]])
            ),
            ...Object.fromEntries(
              ["JBFundAccessLimits.payoutLimitOf", "JBTerminalStore.usedPayoutLimitOf"].map(name => [
                name,
                [`payoutLimit: ${code}`]
              ])
            )
          })
          const parts = {
            "JBMultiTerminal.executePayout": "splits.0",
            "JBMultiTerminal.executePayout#2": "splits.1",
            "JBMultiTerminal.executeTransferTo": "owner"
          }
          const failing = (changed: (part: string) => ReadonlyArray<string>) =>
            Object.fromEntries(
              Object.entries(parts).map(([name, part]) => [
                name,
                [...changed(`distribution.value.${part}`), "warnings.2 changed"]
              ])
            )
          assert.deepStrictEqual(yield* cuts(yield* unforeseen, runQuotePayout, input()), {
            ...all("CALL_REVERTED"),
            "JBMultiTerminal.sendPayoutsOf": "SIMULATION_REVERTED",
            ...unknown("CALL_REVERTED"),
            ...failing(part => [
              `${part}.netAfterFee changed`,
              `${part}.failure.value changed`,
              "distribution.value.fee changed",
              "distribution.value.returned changed"
            ])
          })
          assert.deepStrictEqual(yield* cuts(yield* unforeseen, runQuotePayout, input(), REFUSED), {
            ...all("RPC_UNAVAILABLE"),
            ...unknown("RPC_UNAVAILABLE"),
            ...failing(part => [`${part}.failure: RPC_UNAVAILABLE`])
          })
        })
    )

    it.effect("is looked at anew where it reverts at a head that was overtaken, twice at most", () =>
      Effect.gen(function* () {
        const reverting = (looks: number) =>
          Effect.flatMap(unforeseen, world =>
            overtaken(world, runQuotePayout, input(), "JBMultiTerminal.sendPayoutsOf", looks)
          )
        assert.isUndefined(yield* reverting(2))
        assert.strictEqual(yield* reverting(3), "SIMULATION_REVERTED")
      })
    )
  })
})
