import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { runQuote721Pay } from "../../../src/operations/nfts/quote_721_pay/Run.ts"
import { type Contracts, pinnedCatalog } from "../support/Contracts.ts"
import { NATIVE, PROJECT, ruleset, STRANGER, ZERO } from "../support/Revnets.ts"
import { HOOK, hookCall, withDataHook } from "../support/Shops.ts"
import {
  ACCOUNT,
  AMOUNT,
  answered,
  BENEFICIARY,
  CREDITS,
  chain,
  input,
  metadataOf,
  minting,
  PRICE_IN_ETHER,
  preview,
  price,
  specification,
  TIERS,
  TOKENS
} from "./support/TierPayment.ts"

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
  })
})
