import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { runQuote721Pay } from "../../../src/operations/nfts/quote_721_pay/Run.ts"
import { type Contracts, CUTS, cuts, overtaken, pinnedCatalog } from "../support/Contracts.ts"
import { PROJECT, ruleset, STRANGER, ZERO } from "../support/Revnets.ts"
import { flags, HOOK, hookCall, storeCall, withDataHook } from "../support/Shops.ts"
import {
  ACCOUNT,
  AMOUNT,
  answered,
  CREDITS,
  chain,
  input,
  metadataOf,
  minting,
  preview,
  primary,
  specification,
  TOKENS,
  unplanned
} from "./support/TierPayment.ts"

describe("quote_721_pay", () => {
  it.layer(pinnedCatalog)(it => {
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
        for (const [reply, code] of CUTS) {
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

    it.effect("is looked at anew where it reverts at a head that was overtaken, twice at most", () =>
      Effect.gen(function* () {
        const reverting = (looks: number) =>
          Effect.flatMap(
            Effect.map(chain, made => Object.assign(made, { foresees: false })),
            world => overtaken(world, runQuote721Pay, input, "JBMultiTerminal.previewPayFor", looks)
          )
        assert.isUndefined(yield* reverting(2))
        assert.strictEqual(yield* reverting(3), "SIMULATION_REVERTED")
      })
    )
  })
})
