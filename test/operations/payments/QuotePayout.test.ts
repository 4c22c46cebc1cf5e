import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { encodeErrorResult, getAddress, parseAbi } from "viem"
import { runQuotePayout } from "../../../src/operations/payments/quote_payout/Run.ts"
import type { Address } from "../../../src/values/Scalars.ts"
import { type Contracts, cuts, overtaken, pinnedCatalog, REFUSED, REVERTED } from "../support/Contracts.ts"
import { ACCOUNT, BENEFICIARY, controllerOf, currentRulesetOf, paidProject } from "../support/Payments.ts"
import { metadata, NATIVE, PROJECT, ruleset, STRANGER, ZERO } from "../support/Revnets.ts"

const NATIVE_CURRENCY = 61_166

const input = (changes: Readonly<Record<string, unknown>> = {}) => ({
  project: { chainId: 1, projectId: String(PROJECT) },
  account: ACCOUNT,
  token: NATIVE,
  amount: "1000",
  currency: NATIVE_CURRENCY,
  ...changes
})

const isTerminalOf = (world: Contracts) => ({
  contract: "JBDirectory",
  function: "isTerminalOf",
  args: [PROJECT, world.at("JBMultiTerminal")]
})
const accountingContext = {
  contract: "JBMultiTerminal",
  function: "accountingContextForTokenOf",
  args: [PROJECT, NATIVE]
}
const payout = (currency = NATIVE_CURRENCY) => ({
  contract: "JBMultiTerminal",
  function: "sendPayoutsOf",
  args: [PROJECT, NATIVE, 1_000n, BigInt(currency), 0n]
})
const splitsOf = {
  contract: "JBSplits",
  function: "splitsOf",
  args: [PROJECT, BigInt(ruleset().id), BigInt(NATIVE)]
}
const split = (percent: number, to: object = {}) => ({
  percent,
  projectId: 0n,
  beneficiary: BENEFICIARY,
  preferAddToBalance: false,
  lockedUntil: 0,
  hook: ZERO,
  ...to
})

const OWNER: Address = "0x00000000000000000000000000000000000000cc"
const ownerOf = { contract: "JBProjects", function: "ownerOf", args: [PROJECT] }
const feelessAddresses = { contract: "JBMultiTerminal", function: "FEELESS_ADDRESSES" }
const isFeelessFor = (recipient: Address) => ({
  contract: "JBFeelessAddresses",
  function: "isFeelessFor",
  args: [recipient, PROJECT, ACCOUNT]
})
const primaryTerminalOf = (projectId: bigint) => ({
  contract: "JBDirectory",
  function: "primaryTerminalOf",
  args: [projectId, NATIVE]
})

const executed = (paid: object, amount: bigint) => ({
  contract: "JBMultiTerminal",
  function: "executePayout",
  args: [paid, PROJECT, NATIVE, amount, ACCOUNT]
})
const transferred = (amount: bigint, to = OWNER) => ({
  contract: "JBMultiTerminal",
  function: "executeTransferTo",
  args: [to, NATIVE, amount]
})
const limitOf = (world: Contracts, currency = NATIVE_CURRENCY) => ({
  contract: "JBFundAccessLimits",
  function: "payoutLimitOf",
  args: [PROJECT, BigInt(ruleset().id), world.at("JBMultiTerminal"), NATIVE, BigInt(currency)]
})
const usedOf = (world: Contracts, currency = NATIVE_CURRENCY) => ({
  contract: "JBTerminalStore",
  function: "usedPayoutLimitOf",
  args: [world.at("JBMultiTerminal"), PROJECT, NATIVE, BigInt(ruleset().cycleNumber), BigInt(currency)]
})

const PAID = { status: "known", value: null }

/** What the terminal's call to itself gives for a part that arrives. */
const arriving = (amount: bigint) => [amount, amount]

const chain = Effect.map(paidProject, world =>
  world
    .says(limitOf(world), 5_000n)
    .says(usedOf(world), 1_000n)
    .says(executed(split(500_000_000), 500n), arriving(500n))
    .says(executed(split(333_333_333), 333n), arriving(333n))
    .says(transferred(167n), [])
    .says(ownerOf, OWNER)
    .says(feelessAddresses, world.at("JBFeelessAddresses"))
    .says(isFeelessFor(OWNER), false)
    .says(isFeelessFor(BENEFICIARY), false)
    .says(isTerminalOf(world), true)
    .says(accountingContext, { token: NATIVE, decimals: 18, currency: NATIVE_CURRENCY })
    .says(payout(), 1_000n)
    .says(splitsOf, [split(500_000_000), split(333_333_333)])
)

const unforeseen = Effect.map(chain, world => Object.assign(world, { foresees: false }))

const quoted = (world: Contracts, changes?: Readonly<Record<string, unknown>>) =>
  world.answers(runQuotePayout, input(changes))

const refusal = (world: Contracts, changes?: Readonly<Record<string, unknown>>) =>
  Effect.map(quoted(world, changes), ({ refused }) => refused)

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
