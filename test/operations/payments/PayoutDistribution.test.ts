import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { encodeErrorResult, getAddress, parseAbi } from "viem"
import { runQuotePayout } from "../../../src/operations/payments/quote_payout/Run.ts"
import type { Address } from "../../../src/values/Scalars.ts"
import { pinnedCatalog, REFUSED, REVERTED } from "../support/Contracts.ts"
import { ACCOUNT, BENEFICIARY, currentRulesetOf } from "../support/Payments.ts"
import {
  arriving,
  chain,
  executed,
  feelessAddresses,
  input,
  isFeelessFor,
  NATIVE_CURRENCY,
  PAID,
  payout,
  primaryTerminalOf,
  quoted,
  split,
  splitsOf,
  transferred
} from "../support/Payouts.ts"
import { metadata, NATIVE, PROJECT, ruleset, STRANGER, ZERO } from "../support/Revnets.ts"

describe("the distribution of quote_payout", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("takes the fee only from whom the terminal takes it, in three round trips", () =>
      Effect.gen(function* () {
        const world = yield* chain
        const [here, elsewhere, nowhere] = [2n, 3n, 4n]
        const hook: Address = "0x00000000000000000000000000000000000000dd"
        world
          .says(primaryTerminalOf(here), world.at("JBMultiTerminal"))
          .says(primaryTerminalOf(elsewhere), STRANGER)
          .says(primaryTerminalOf(nowhere), ZERO)
          .says(isFeelessFor(STRANGER), false)
          .says(isFeelessFor(ZERO), false)
          .says(isFeelessFor(world.at("JBMultiTerminal")), false)
          .says(isFeelessFor(hook), true)
          .says(isFeelessFor(ACCOUNT), false)
          .says(transferred(500n), [])
        const splits = [
          split(100_000_000, { projectId: here }),
          split(100_000_000, { projectId: elsewhere }),
          split(100_000_000, { projectId: nowhere }),
          split(100_000_000, { projectId: here, hook }),
          split(100_000_000, { beneficiary: ZERO })
        ]
        world.says(splitsOf, splits)
        for (const each of splits) world.says(executed(each, 100n), arriving(100n))
        world.tells(executed(split(100_000_000, { projectId: nowhere }), 100n), REFUSED)
        const { answer, roundTrips } = yield* quoted(world)
        const { splits: paid, owner, fee, returned } = Object(answer).distribution.value
        assert.deepStrictEqual(
          paid.map(({ netAfterFee }: { netAfterFee: string }) => netAfterFee),
          ["100", "98", "0", "100", "98"]
        )
        assert.deepStrictEqual(
          [owner, fee, returned],
          [{ amount: "500", netAfterFee: "488", failure: PAID }, "16", "100"]
        )
        assert.match(
          Object(answer).warnings[2],
          /^Split 3, to project 4, cannot be paid now.*no terminal for the token/
        )
        assert.strictEqual(roundTrips, 3)
      })
    )

    it.effect("charges 24998 of 1000003 over three recorded splits and the owner, not 25000", () =>
      Effect.gen(function* () {
        const amount = 1_000_003n
        const parts = [
          [111_111_111, 111_111n],
          [222_222_222, 222_222n],
          [333_333_333, 333_334n]
        ] as const
        const world = yield* chain
        world
          .says({ ...payout(), args: [PROJECT, NATIVE, amount, BigInt(NATIVE_CURRENCY), 0n] }, amount)
          .says(
            splitsOf,
            parts.map(([percent]) => split(percent))
          )
          .says(transferred(333_336n), [])
        for (const [percent, part] of parts) world.says(executed(split(percent), part), arriving(part))
        const { answer } = yield* quoted(world, { amount: String(amount) })
        const { splits, owner, fee } = Object(answer).distribution.value
        assert.deepStrictEqual(
          splits.map(({ netAfterFee }: { netAfterFee: string }) => netAfterFee),
          ["108334", "216667", "325001"]
        )
        assert.deepStrictEqual([owner.netAfterFee, fee], ["325003", "24998"])
      })
    )

    it.effect("foresees by name whom the terminal cannot pay, the owner too, and charges them nothing", () =>
      Effect.gen(function* () {
        const notFound = {
          abi: parseAbi([
            "error JBMultiTerminal_RecipientProjectTerminalNotFound(uint256 projectId, address token)"
          ]),
          args: [10n, NATIVE] as const
        }
        const world = (yield* chain)
          .tells(executed(split(500_000_000), 500n), {
            error: { code: 3, data: encodeErrorResult(notFound) }
          })
          .tells(transferred(167n), { error: { code: 3, data: "0xd6bda275" } })
        const { answer } = yield* quoted(world)
        const { distribution, warnings } = Object(answer)
        const { splits, owner, fee, returned } = distribution.value
        assert.deepStrictEqual(
          [splits[0].netAfterFee, owner.netAfterFee, fee, returned],
          ["0", "0", "8", "667"]
        )
        assert.deepStrictEqual(warnings.slice(2), [
          `Split 1, to ${getAddress(BENEFICIARY)}, cannot be paid now, so that its 500 stay with the project. The call reverts with JBMultiTerminal_RecipientProjectTerminalNotFound(projectId 10, token ${NATIVE}).`,
          "The project's owner cannot be paid now, so that its 167 stay with the project. The call reverts with FailedCall()."
        ])
      })
    )

    it.effect("foresees no failure of who only needs more gas than most", () =>
      Effect.gen(function* () {
        const world = yield* chain
        const whole = yield* quoted(world)
        const hungry = yield* world.answers(runQuotePayout, input(), (name, gas = 0n) =>
          /executePayout|executeTransferTo/.test(name) && gas < 4_000_000n ? REVERTED : undefined
        )
        assert.isUndefined(hungry.refused)
        assert.deepStrictEqual(hungry.answer, whole.answer)
      })
    )

    it.effect("says who gets nothing, and which fee is held", () =>
      Effect.gen(function* () {
        const world = (yield* chain)
          .says(currentRulesetOf, [ruleset(), metadata({ holdFees: true })])
          .says(splitsOf, [split(1), split(999_999_999)])
          .says(executed(split(999_999_999), 1_000n), arriving(1_000n))
        const { answer } = yield* quoted(world)
        const { distribution, warnings } = Object(answer)
        assert.deepInclude(distribution.value, { fee: "25", feeIsHeld: true })
        assert.match(warnings[2], /^Split 1, .* gets nothing/)
        assert.match(warnings[3], /fee of 25 is held by the terminal for 28 days/)
      })
    )

    it.effect("warns of as many splits as a plan has room for, and counts the others", () =>
      Effect.gen(function* () {
        const crumbs = Array.from({ length: 63 }, () => split(1))
        const last = split(999_999_937)
        const world = (yield* chain)
          .says(splitsOf, [...crumbs, last])
          .says(executed(last, 1_000n), arriving(1_000n))
        const { warnings } = Object((yield* quoted(world)).answer)
        const ofSplits = warnings.filter((each: string) => each.startsWith("Split "))
        assert.strictEqual(ofSplits.length, 40)
        assert.include(warnings, "So it is with 23 more of the splits, as the distribution shows.")
        assert.isAtMost(warnings.length, 64)
      })
    )

    it.effect("does not know what arrives where the terminal keeps other feeless addresses", () =>
      Effect.gen(function* () {
        const { answer } = yield* quoted((yield* chain).says(feelessAddresses, STRANGER))
        const { distribution, amountPaidOut } = Object(answer)
        assert.deepStrictEqual(
          [amountPaidOut, distribution.status, distribution.error?.code],
          ["1000", "unknown", "UNSUPPORTED_CONFIGURATION"]
        )
      })
    )
  })
})
