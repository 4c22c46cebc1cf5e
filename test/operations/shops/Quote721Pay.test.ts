import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { AbiCoder, dataSlice, id } from "ethers"
import { runPrepare721Pay } from "../../../src/operations/shops/PrepareShopPay.ts"
import { runQuote721Pay } from "../../../src/operations/shops/Quote721Pay.ts"
import { PinnedContracts } from "../../../src/protocol/PinnedContracts.ts"
import type { Address } from "../../../src/values/Scalars.ts"
import { type Contracts, cuts, pinnedCatalog, REFUSED, REVERTED } from "../support/Contracts.ts"
import { NATIVE, PROJECT, ruleset, STRANGER, ZERO } from "../support/Revnets.ts"
import { flags, HOOK, hookCall, shop, storeCall, tier, withDataHook } from "../support/Shops.ts"

const coder = AbiCoder.defaultAbiCoder()
const ACCOUNT: Address = "0x0000000000000000000000000000000000001111"
const BENEFICIARY: Address = "0x0000000000000000000000000000000000002222"
const AMOUNT = 2_000n
const CREDITS = 300n
const TIERS = [5, 9, 5]
const TOKENS = [5_000_000_001n, 9_000_000_007n, 5_000_000_002n]
const PRICE_IN_ETHER = 5n * 10n ** 14n

const input = {
  project: { chainId: 1, projectId: "7" },
  account: ACCOUNT,
  token: NATIVE,
  amount: String(AMOUNT),
  beneficiary: ACCOUNT,
  tierIds: TIERS
}

/** Written out from the layout that section 0.8 describes. */
const metadataOf = (world: Contracts, allowOverspending = false) => {
  const target = BigInt(dataSlice(world.at("JB721TiersHook"), 0, 4))
  const entry = (target ^ BigInt(dataSlice(id("pay"), 0, 4))).toString(16).padStart(8, "0")
  const value = coder.encode(["bool", "uint16[]"], [allowOverspending, TIERS]).slice(2)
  return `0x${"00".repeat(32)}${`${entry}02`.padEnd(64, "0")}${value}`
}

const preview = (world: Contracts, beneficiary = ACCOUNT, metadata = metadataOf(world)) => ({
  contract: "JBMultiTerminal",
  function: "previewPayFor",
  args: [PROJECT, NATIVE, AMOUNT, beneficiary, metadata]
})

const specification = (changes: Readonly<Record<string, unknown>> = {}) => ({
  hook: HOOK,
  noop: false,
  amount: 0n,
  metadata: "0x",
  ...changes
})

const minting = (amount: bigint) => ({
  contract: "JB721TiersHookStore",
  function: "recordMint",
  args: [amount, TIERS, false]
})

const context = {
  contract: "JBMultiTerminal",
  function: "accountingContextForTokenOf",
  args: [PROJECT, NATIVE]
}
const primary = { contract: "JBDirectory", function: "primaryTerminalOf", args: [PROJECT, NATIVE] }
const price = {
  contract: "JBPrices",
  function: "pricePerUnitOf",
  args: [PROJECT, 61_166n, 1n, 18n]
}

const chain = Effect.map(shop, world =>
  world
    .says(primary, world.at("JBMultiTerminal"))
    .says({ contract: "JBDirectory", function: "terminalsOf", args: [PROJECT] }, [
      world.at("JBMultiTerminal")
    ])
    .says({ contract: "JBRouterTerminalRegistry", function: "terminalOf", args: [PROJECT] }, ZERO)
    .says({ contract: "JBBuybackHookRegistry", function: "hookOf", args: [PROJECT] }, ZERO)
    .says({ contract: "REVOwner", function: "BUYBACK_HOOK" }, world.at("JBBuybackHookRegistry"))
    .says(context, { token: NATIVE, decimals: 18, currency: 61_166 })
    .says(hookCall("pricingContext"), [61_166n, 18n])
    .says(hookCall("PRICES"), world.at("JBPrices"))
    .says(hookCall("payCreditsOf", [ACCOUNT]), CREDITS)
    .says(hookCall("payCreditsOf", [BENEFICIARY]), CREDITS)
    .says(storeCall("tierOf", 5n, false), tier(5))
    .says(storeCall("tierOf", 9n, false), tier(9, { price: 500n, discountPercent: 0 }))
    .says(preview(world), [ruleset(), 800n, 200n, [specification()]])
    .tells({ ...preview(world), contract: "JBRouterTerminalRegistry" }, REVERTED)
    .says(minting(AMOUNT + CREDITS), [TOKENS, 0n, 500n])
)

const answered = Effect.fn("answered")(function* (
  change: (world: Contracts) => Contracts,
  given: Readonly<Record<string, unknown>> = {}
) {
  const world = yield* Effect.map(chain, change)
  const { answer, ...rest } = yield* world.answers(runQuote721Pay, { ...input, ...given })
  return { answer: Object(answer), ...rest }
})

/** What the plan is refused with. */
const unplanned = Effect.fn("unplanned")(function* (change: (world: Contracts) => Contracts) {
  const world = yield* Effect.map(chain, change)
  const pinned = yield* Effect.fromNullable(world.pinned)
  const { draft } = yield* runPrepare721Pay.prepare(input)
  const { _tag } = yield* Effect.flip(Effect.provideService(draft, PinnedContracts, pinned))
  return _tag
})

describe("quote_721_pay", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("answers what a payment mints, with the payer's credits, in three round trips", () =>
      Effect.gen(function* () {
        const world = yield* chain
        const { answer, roundTrips, untold } = yield* world.answers(runQuote721Pay, input)
        assert.deepStrictEqual(untold, [])
        assert.strictEqual(roundTrips, 3)
        const calls = (world.traffic.batches.at(-1) ?? []).map(({ params }) => Object(params[0]))
        assert.isTrue(calls.some(({ to, from }) => to === world.at("JB721TiersHookStore") && from === HOOK))
        const step = yield* Object.assign(world, { foresees: false }).answers(runQuote721Pay, input)
        assert.deepStrictEqual([step.answer, step.roundTrips], [answer, 4])
        const { tiers, paymentQuote, ...rest } = Object(answer)
        assert.deepInclude(rest, {
          operation: "721_pay",
          hook: HOOK,
          store: world.at("JB721TiersHookStore"),
          metadataIdTarget: world.at("JB721TiersHook"),
          pricing: { currency: "61166", decimals: "18" },
          tierIds: TIERS,
          indicativeTokenIds: TOKENS.map(String),
          destination: {
            terminal: world.at("JBMultiTerminal"),
            token: NATIVE,
            amount: String(AMOUNT),
            payer: ACCOUNT,
            route: "direct"
          },
          normalizedPayment: String(AMOUNT),
          priorNFTCredits: String(CREDITS),
          usableNFTCredits: String(CREDITS),
          leftoverNFTCredits: "0",
          resultingNFTCredits: "0",
          metadata: metadataOf(world)
        })
        assert.deepInclude(paymentQuote, { metadata: metadataOf(world), beneficiaryTokenCount: "800" })
        const prices = tiers.value.map(({ effectivePrice }: { effectivePrice: string }) => effectivePrice)
        assert.deepStrictEqual(prices, ["900", "500"])
      })
    )

    it.effect("leaves credits alone that the payer does not own, and keeps what is left over", () =>
      Effect.gen(function* () {
        const given = { beneficiary: BENEFICIARY, allowOverspending: true }
        const { answer } = yield* answered(
          world =>
            world
              .says(preview(world, BENEFICIARY, metadataOf(world, true)), [
                ruleset(),
                0n,
                0n,
                [specification()]
              ])
              .says(minting(AMOUNT), [TOKENS, 40n, 0n]),
          given
        )
        assert.deepInclude(answer, {
          usableNFTCredits: "0",
          leftoverNFTCredits: "40",
          resultingNFTCredits: String(CREDITS + 40n)
        })
      })
    )

    it.effect("converts payments in another currency by the canonical prices, in the same trips", () =>
      Effect.gen(function* () {
        const inEther = (world: Contracts) => world.says(hookCall("pricingContext"), [1n, 6n])
        const worth = (AMOUNT * 10n ** 6n) / PRICE_IN_ETHER
        const { answer, roundTrips } = yield* answered(world =>
          inEther(world)
            .says(price, PRICE_IN_ETHER)
            .says(minting(worth + CREDITS), [TOKENS, 0n, 0n])
        )
        assert.strictEqual(answer.normalizedPayment, String(worth))
        assert.strictEqual(roundTrips, 3)
        const unpriced: ReadonlyArray<(world: Contracts) => Contracts> = [
          world => inEther(world),
          world => inEther(world).says(price, 0n),
          world => inEther(world).says(price, PRICE_IN_ETHER).says(hookCall("PRICES"), ZERO),
          world => inEther(world).says(price, PRICE_IN_ETHER).says(hookCall("PRICES"), STRANGER)
        ]
        for (const change of unpriced)
          assert.strictEqual((yield* answered(change)).refused, "NFT_PRICE_UNAVAILABLE", String(change))
      })
    )

    it.effect("finds the shops of revnets and of the omnichain deployer in the same trips", () =>
      Effect.gen(function* () {
        const ofDeployer = (name: string) => ({
          contract: "JBOmnichainDeployer",
          function: name,
          args: [PROJECT, BigInt(ruleset().id)]
        })
        const behindDeployer = (world: Contracts) =>
          withDataHook(world, world.at("JBOmnichainDeployer"))
            .says(ofDeployer("tiered721HookOf"), [HOOK, false])
            .says(ofDeployer("extraDataHookOf"), {
              dataHook: ZERO,
              useDataHookForPay: false,
              useDataHookForCashOut: false
            })
        const asRevnet = (world: Contracts) =>
          withDataHook(world, world.at("REVOwner"))
            .says({ contract: "JBProjects", function: "ownerOf", args: [PROJECT] }, world.at("REVOwner"))
            .says({ contract: "REVOwner", function: "tiered721HookOf", args: [PROJECT] }, HOOK)
            .says(
              { contract: "REVDeployer", function: "hashedEncodedConfigurationOf", args: [PROJECT] },
              `0x${"77".repeat(32)}`
            )
        for (const change of [behindDeployer, asRevnet]) {
          const { answer, roundTrips, refused } = yield* answered(change)
          assert.deepStrictEqual([refused, answer.hook, roundTrips], [undefined, HOOK, 3], String(change))
        }
      })
    )

    it.effect("takes what a shop forwards to the splits of its tiers", () =>
      Effect.gen(function* () {
        const { answer } = yield* answered(world =>
          world.says(preview(world), [ruleset(), 1n, 0n, [specification({ amount: 10n })]])
        )
        assert.strictEqual(answer.paymentQuote.hooks[0].amount, "10")
      })
    )

    it.effect("refuses what would not mint exactly the tiers for the payment", () =>
      Effect.gen(function* () {
        const mint = (value: unknown) => (world: Contracts) => world.says(minting(AMOUNT + CREDITS), value)
        const routed = (world: Contracts) => {
          const [registry, router] = [world.at("JBRouterTerminalRegistry"), world.at("JBRouterTerminal")]
          const paid = { ...preview(world), contract: "JBRouterTerminalRegistry" }
          return world
            .says(primary, registry)
            .says({ contract: "JBRouterTerminalRegistry", function: "terminalOf", args: [PROJECT] }, router)
            .says(paid, [ruleset(), 1n, 0n, [specification()]])
        }
        const refusals: ReadonlyArray<readonly [string, (world: Contracts) => Contracts]> = [
          ["NO_721_SHOP", world => withDataHook(world, ZERO)],
          ["NO_721_SHOP", world => withDataHook(world, STRANGER, false)],
          [
            "NFT_HOOK_NOT_INVOKED",
            world => withDataHook(world, HOOK, false).says(preview(world), [ruleset(), 1n, 0n, []])
          ],
          ["UNSUPPORTED_721_HOOK", world => withDataHook(world, STRANGER)],
          ["INVALID_721_IDENTITY", world => world.says(hookCall("STORE"), STRANGER)],
          [
            "UNSUPPORTED_721_HOOK",
            world => world.code(HOOK, "0x60").says(hookCall("pricingContext"), [61_166n, 2n ** 200n])
          ],
          ["NFT_PRICE_UNAVAILABLE", world => world.says(hookCall("pricingContext"), [61_166n, 256n])],
          ["NO_PAYMENT_ROUTE", world => world.says(primary, ZERO)],
          ["NFT_ROUTER_UNSUPPORTED", routed],
          ["NFT_HOOK_NOT_INVOKED", world => world.says(preview(world), [ruleset(), 1n, 0n, []])],
          [
            "NFT_HOOK_NOT_INVOKED",
            world => world.says(preview(world), [ruleset(), 1n, 0n, [specification({ noop: true })]])
          ],
          ["INVALID_PREVIEW", world => world.says(preview(world), [ruleset({ id: 3 }), 1n, 0n, []])],
          ["INVALID_NFT_PREVIEW", mint([TOKENS.slice(1), 0n, 0n])],
          ["INVALID_NFT_PREVIEW", mint([[...TOKENS, 5_000_000_003n], 0n, 0n])],
          ["INVALID_NFT_PREVIEW", mint([[...TOKENS].reverse().map(token => token + 10n ** 9n), 0n, 0n])],
          ["NFT_CREDITS_RESTRICTED", mint([TOKENS, 0n, AMOUNT + 1n])],
          ["NFT_OVERSPENDING", mint([TOKENS, 1n, 0n])],
          [
            "SIMULATION_REVERTED",
            world => world.tells(minting(AMOUNT + CREDITS), { error: { code: 3, data: "0x" } })
          ]
        ]
        for (const [code, change] of refusals) {
          assert.strictEqual((yield* answered(change)).refused, code, String(change))
          assert.strictEqual(yield* unplanned(change), code, String(change))
        }
        const forbidden = yield* answered(
          world =>
            world
              .says(storeCall("flagsOf"), { ...flags, preventOverspending: true })
              .says(preview(world, ACCOUNT, metadataOf(world, true)), [ruleset(), 1n, 0n, [specification()]])
              .says(minting(AMOUNT + CREDITS), [TOKENS, 1n, 0n]),
          { allowOverspending: true }
        )
        assert.strictEqual(forbidden.refused, "NFT_OVERSPENDING")
      })
    )

    it.effect("says which tiers it could not read, and refuses where anything else is missing", () =>
      Effect.gen(function* () {
        const world = Object.assign(yield* chain, { foresees: false })
        for (const [reply, code] of [
          [undefined, "CALL_REVERTED"],
          [REFUSED, "RPC_UNAVAILABLE"]
        ] as const) {
          const simulated = code === "CALL_REVERTED" ? "SIMULATION_REVERTED" : code
          assert.deepStrictEqual(yield* cuts(world, runQuote721Pay, input, reply), {
            "JBDirectory.controllerOf": code,
            "JBController.currentRulesetOf": code,
            "REVDeployer.hashedEncodedConfigurationOf": code,
            "JBProjects.ownerOf": [],
            "REVOwner.tiered721HookOf": [],
            "REVOwner.BUYBACK_HOOK": [],
            "JBBuybackHookRegistry.hookOf": [],
            "JBDirectory.primaryTerminalOf": code,
            "JBDirectory.terminalsOf": code,
            "JBRouterTerminalRegistry.terminalOf": [],
            "JBMultiTerminal.accountingContextForTokenOf": code,
            "JBMultiTerminal.previewPayFor": simulated,
            "JBRouterTerminalRegistry.previewPayFor": [],
            "JB721TiersHook.STORE": code,
            "JB721TiersHook.DIRECTORY": code,
            "JB721TiersHook.projectId": code,
            "JB721TiersHook.METADATA_ID_TARGET": code,
            "JB721TiersHook.pricingContext": code,
            "JB721TiersHook.PRICES": [],
            "JB721TiersHook.payCreditsOf": code,
            "JB721TiersHookStore.flagsOf": code,
            "JB721TiersHookStore.tierOf": [`tiers: ${code}`],
            "JB721TiersHookStore.tierOf#2": [`tiers: ${code}`],
            "JB721TiersHookStore.recordMint": simulated
          })
        }
      })
    )
  })
})
