import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { encodeAbiParameters } from "viem"
import { runQuoteCashOut } from "../../../src/operations/payments/quote_cash_out/Run.ts"
import { metadataOf } from "../../../src/protocol/MetadataEntry.ts"
import type { Address, Hex } from "../../../src/values/Scalars.ts"
import { type Contracts, cuts, overtaken, pinnedCatalog, REFUSED } from "../support/Contracts.ts"
import {
  ACCOUNT,
  accountingContext,
  BENEFICIARY,
  controllerOf,
  currentRulesetOf,
  isTerminalOf,
  paidProject,
  registeredBuyback,
  revnetBuyback,
  type Spec,
  specOf,
  useHook,
  words
} from "../support/Payments.ts"
import { metadata, NATIVE, PROJECT, ruleset, STRANGER, ZERO } from "../support/Revnets.ts"

const COUNT = 10n ** 18n
const HOLDER: Address = "0x00000000000000000000000000000000000000cc"

const input = (changes: Readonly<Record<string, unknown>> = {}) => ({
  project: { chainId: 1, projectId: String(PROJECT) },
  holder: HOLDER,
  account: ACCOUNT,
  cashOutCount: String(COUNT),
  tokenToReclaim: NATIVE,
  beneficiary: BENEFICIARY,
  ...changes
})

const feeless = { contract: "JBMultiTerminal", function: "FEELESS_ADDRESSES" }
const isFeelessFor = {
  contract: "JBFeelessAddresses",
  function: "isFeelessFor",
  args: [BENEFICIARY, PROJECT, ACCOUNT]
}
const feeFreeSurplusOf = {
  contract: "JBMultiTerminal",
  function: "feeFreeSurplusOf",
  args: [PROJECT, NATIVE]
}

interface Preview {
  readonly reclaim?: bigint
  readonly tax?: bigint
  readonly specs?: ReadonlyArray<Spec>
  readonly rulesetId?: number
  readonly metadata?: Hex
}

const previewed = (world: Contracts, preview: Preview = {}) => {
  const { reclaim = 4_000n, tax = 5_000n, specs = [], rulesetId = ruleset().id } = preview
  const args = [HOLDER, PROJECT, COUNT, NATIVE, BENEFICIARY, preview.metadata ?? "0x"]
  return world.says({ contract: "JBMultiTerminal", function: "previewCashOutFrom", args }, [
    ruleset({ id: rulesetId }),
    reclaim,
    tax,
    specs.map(specOf)
  ])
}

const chain = Effect.map(paidProject, world =>
  previewed(world)
    .says(isTerminalOf(world), true)
    .says(accountingContext, { token: NATIVE, decimals: 18, currency: 61_166 })
    .says(feeless, world.at("JBFeelessAddresses"))
    .says(isFeelessFor, false)
    .says(feeFreeSurplusOf, 400n)
)

const quoted = (world: Contracts, changes?: Readonly<Record<string, unknown>>) =>
  world.answers(runQuoteCashOut, input(changes))

const refusal = (world: Contracts, changes?: Readonly<Record<string, unknown>>) =>
  Effect.map(quoted(world, changes), ({ refused }) => refused)

const swapWords = (swap: bigint, direct: bigint) => words([swap, COUNT, direct, 0n, 0n, 0n, 0n, 0n])

/** As the hook reads what the holder insists on. */
const insisting = (hook: Address, minimum: bigint): Hex => {
  const encoded = encodeAbiParameters([{ type: "uint256" }, { type: "bool" }], [minimum, false])
  return metadataOf({ purpose: "cashOut", target: hook }, `0x${encoded.slice(2)}`)
}

describe("quote_cash_out", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("answers what the treasury returns after the fee, in two round trips", () =>
      Effect.gen(function* () {
        const world = yield* chain
        const { answer, roundTrips, untold } = yield* quoted(world)
        assert.deepStrictEqual([untold, roundTrips], [[], 2])
        assert.deepInclude(Object(answer), {
          operation: "cash_out",
          holder: HOLDER,
          account: ACCOUNT,
          beneficiary: BENEFICIARY,
          terminal: world.at("JBMultiTerminal"),
          tokenDecimals: "18",
          accountingCurrency: "61166",
          cashOutCount: String(COUNT),
          route: "treasury",
          quoteBasis: "terminal-preview-after-protocol-fee",
          expectedReturn: "3900",
          minimumReturn: "3861",
          terminalMinimum: "3861",
          metadata: "0x",
          treasuryGross: "4000",
          treasuryProtocolFee: "100",
          treasuryNet: "3900",
          cashOutTaxRate: "5000",
          beneficiaryIsFeeless: false,
          hooks: []
        })
        assert.notProperty(Object(answer), "buybackExecutableQuote")
      })
    )

    it.effect("asks as the holder where no account is named", () =>
      Effect.gen(function* () {
        const world = (yield* chain).says({ ...isFeelessFor, args: [BENEFICIARY, PROJECT, HOLDER] }, false)
        const { account: _, ...alone } = input()
        const { answer } = yield* world.answers(runQuoteCashOut, alone)
        assert.strictEqual(Object(answer).account, HOLDER)
      })
    )

    it.effect(
      "takes the fee of an untaxed cash out from what came in without one, and none from the feeless",
      () =>
        Effect.gen(function* () {
          const untaxed = previewed(yield* chain, { tax: 0n })
          const owed = yield* quoted(untaxed)
          assert.strictEqual(owed.roundTrips, 2)
          assert.deepInclude(Object(owed.answer), { treasuryProtocolFee: "10", expectedReturn: "3990" })
          const free = yield* quoted(untaxed.says(isFeelessFor, true))
          assert.strictEqual(free.roundTrips, 2)
          assert.deepInclude(Object(free.answer), { treasuryProtocolFee: "0", beneficiaryIsFeeless: true })
        })
    )

    it.effect("sells to the buyback's pool where that gives more even at its minimum", () =>
      Effect.gen(function* () {
        const world = yield* chain
        const hook = world.at("JBBuybackHook")
        useHook(world, "useDataHookForCashOut", world.at("JBBuybackHookRegistry"))
        world.says(registeredBuyback, hook)
        const specs = [{ hook, metadata: swapWords(10_000n, 3_900n) }]
        const expected = insisting(hook, 9_900n)
        const swapping = { reclaim: 0n, tax: 10_000n, specs }
        previewed(world, swapping)
        previewed(world, { ...swapping, metadata: expected })
        const { answer, roundTrips } = yield* quoted(world)
        assert.strictEqual(roundTrips, 3)
        assert.deepInclude(Object(answer), {
          route: "amm",
          quoteBasis: "buyback-hook-indicative-output",
          expectedReturn: "10000",
          minimumReturn: "9900",
          terminalMinimum: "0",
          metadata: expected,
          treasuryGross: "0",
          treasuryProtocolFee: "0",
          treasuryNet: "3900",
          cashOutTaxRate: "10000",
          buybackExecutableQuote: {
            minimumSwapAmountOut: "10000",
            cashOutCountToSell: String(COUNT),
            netDirectCashOutAmount: "3900"
          }
        })
        previewed(world, { reclaim: 0n, specs: [], metadata: expected })
        assert.strictEqual(yield* refusal(world), "CASH_OUT_ROUTE_REQUIRES_REQUOTE")
        previewed(world, { rulesetId: 3, specs, metadata: expected })
        assert.strictEqual(yield* refusal(world), "INVALID_PREVIEW")
        previewed(world, { reclaim: 0n, specs: [{ hook, metadata: swapWords(3_939n, 3_900n) }] })
        assert.strictEqual(yield* refusal(world), "CASH_OUT_ROUTE_REQUIRES_REQUOTE")
      })
    )

    it.effect("leaves a revnet's own fee in the preview", () =>
      Effect.gen(function* () {
        const world = yield* chain
        const owner = world.at("REVOwner")
        useHook(world, "useDataHookForCashOut", owner)
        world.says(revnetBuyback, world.at("JBBuybackHookRegistry"))
        previewed(world, { specs: [{ hook: owner, amount: 100n }] })
        const { answer } = yield* quoted(world)
        assert.strictEqual(Object(answer).route, "treasury")
        assert.isTrue(Object(answer).warnings.some((warning: string) => warning.includes("revnet")))
      })
    )

    it.effect("refuses hooks whose effect it does not know", () =>
      Effect.gen(function* () {
        const world = yield* chain
        const hook = world.at("JBBuybackHook")
        useHook(world, "useDataHookForCashOut", hook)
        const good = { hook, metadata: swapWords(1n, 3_900n) }
        for (const specs of [[{ hook: STRANGER }], [{ hook, metadata: "0x" }], [good, good]])
          assert.strictEqual(yield* refusal(previewed(world, { specs })), "UNSUPPORTED_CONFIGURATION")
        const elsewhere = useHook(previewed(world), "useDataHookForCashOut", STRANGER)
        assert.strictEqual(yield* refusal(elsewhere), "UNSUPPORTED_CONFIGURATION")
      })
    )

    it.effect("refuses what the project, its terminal or the preview do not allow", () =>
      Effect.gen(function* () {
        const world = yield* chain
        assert.strictEqual(yield* refusal(world, { terminal: STRANGER }), "UNSUPPORTED_TERMINAL")
        assert.isUndefined(yield* refusal(world, { terminal: world.at("JBMultiTerminal") }))
        const cases = [
          [(yield* chain).says(controllerOf, ZERO), "PROJECT_NOT_FOUND"],
          [(yield* chain).says(controllerOf, STRANGER), "UNSUPPORTED_CONFIGURATION"],
          [(yield* chain).says(currentRulesetOf, [ruleset({ id: 0 }), metadata()]), "NO_ACTIVE_RULESET"],
          [(yield* chain).says(isTerminalOf(world), false), "TERMINAL_NOT_REGISTERED"],
          [
            (yield* chain).says(accountingContext, { token: ZERO, decimals: 0, currency: 0 }),
            "TOKEN_NOT_ACCEPTED"
          ],
          [(yield* chain).says(feeless, STRANGER), "UNSUPPORTED_CONFIGURATION"],
          [previewed(yield* chain, { rulesetId: 9 }), "INVALID_PREVIEW"],
          [previewed(yield* chain, { reclaim: 0n }), "NOTHING_TO_RECLAIM"]
        ] as const
        for (const [changed, code] of cases) assert.strictEqual(yield* refusal(changed), code)
      })
    )

    it.effect("tells a tax that leaves nothing from too little to reclaim", () =>
      Effect.gen(function* () {
        const taxed = yield* quoted(previewed(yield* chain, { reclaim: 0n, tax: 10_000n }))
        const empty = yield* quoted(previewed(yield* chain, { reclaim: 0n, tax: 2_000n }))
        assert.match(taxed.detail ?? "", /tax of 100 %/)
        assert.match(empty.detail ?? "", /nothing, or too little/)
      })
    )

    it.effect("is refused where a read that it rests on fails", () =>
      Effect.gen(function* () {
        const unused = {
          "JBBuybackHookRegistry.hookOf": [],
          "REVOwner.BUYBACK_HOOK": [],
          "REVOwner.tiered721HookOf": []
        }
        const world = previewed(yield* chain, { tax: 0n })
        const names = [
          "JBDirectory.controllerOf",
          "JBController.currentRulesetOf",
          "JBDirectory.isTerminalOf",
          "JBMultiTerminal.accountingContextForTokenOf",
          "JBMultiTerminal.FEELESS_ADDRESSES",
          "JBFeelessAddresses.isFeelessFor",
          "JBMultiTerminal.feeFreeSurplusOf",
          "JBMultiTerminal.previewCashOutFrom"
        ]
        const all = (code: string) => Object.fromEntries(names.map(name => [name, code]))
        assert.deepStrictEqual(yield* cuts(world, runQuoteCashOut, input()), {
          ...all("CALL_REVERTED"),
          "JBMultiTerminal.previewCashOutFrom": "SIMULATION_REVERTED",
          ...unused
        })
        assert.deepStrictEqual(yield* cuts(world, runQuoteCashOut, input(), REFUSED), {
          ...all("RPC_UNAVAILABLE"),
          ...unused
        })
      })
    )

    it.effect("is looked at anew where it reverts at a head that was overtaken, twice at most", () =>
      Effect.gen(function* () {
        const reverting = (looks: number) =>
          Effect.flatMap(
            Effect.map(chain, made => previewed(made, { tax: 0n })),
            world => overtaken(world, runQuoteCashOut, input(), "JBMultiTerminal.previewCashOutFrom", looks)
          )
        assert.isUndefined(yield* reverting(2))
        assert.strictEqual(yield* reverting(3), "SIMULATION_REVERTED")
      })
    )
  })
})
