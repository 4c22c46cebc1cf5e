import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { runGet721Shop } from "../../../src/operations/nfts/get_721_shop/Run.ts"
import { proxyCode } from "../../protocol/support/Clones.ts"
import { type Contracts, CUTS, cuts, pinnedCatalog } from "../support/Contracts.ts"
import { known } from "../support/Known.ts"
import { HASH_OF_CONFIGURATION, NOT_STARTED, PROJECT, ruleset, STRANGER, ZERO } from "../support/Revnets.ts"
import { currentRuleset, HOOK, hookCall, shop, storeCall, tier, withDataHook } from "../support/Shops.ts"

const project = { chainId: 1, projectId: "7" }
const input = { project, size: 2 }

const tiers = (world: Contracts, ids: ReadonlyArray<number>, categories: ReadonlyArray<bigint> = []) =>
  world.says(
    storeCall("tiersOf", categories, false, 0n, 3n),
    ids.map(id => tier(id))
  )

const chain = Effect.map(shop, world => tiers(world, [5, 9]))

const configured = { contract: "REVDeployer", function: "hashedEncodedConfigurationOf", args: [PROJECT] }
const owner = { contract: "JBProjects", function: "ownerOf", args: [PROJECT] }
const ofRevnet = { contract: "REVOwner", function: "tiered721HookOf", args: [PROJECT] }

const asRevnet = (world: Contracts) =>
  withDataHook(world, world.at("REVOwner"))
    .says(configured, HASH_OF_CONFIGURATION)
    .says(owner, world.at("REVOwner"))
    .says(ofRevnet, HOOK)

const answered = Effect.fn("answered")(function* (
  change: (world: Contracts) => Contracts,
  given: object = input
) {
  const { answer, ...rest } = yield* (yield* Effect.map(chain, change)).answers(runGet721Shop, given)
  return { answer: Object(answer), ...rest }
})

describe("get_721_shop", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("answers the shop behind the data hook, in three round trips", () =>
      Effect.gen(function* () {
        const world = yield* chain
        const { answer, roundTrips, untold } = yield* world.answers(runGet721Shop, input)
        assert.deepStrictEqual([untold, roundTrips], [[], 3])
        assert.deepInclude(answer, {
          project: { ...project, version: 6 },
          isRevnet: false,
          activePayRuleset: true,
          pagination: known({
            startingId: "0",
            size: 2,
            returned: 2,
            complete: true,
            nextStartingId: null,
            instruction: "There are no further tiers."
          })
        })
        const { tiers: listed, ...rest } = Object(answer).shop
        assert.deepStrictEqual(rest, {
          hook: HOOK,
          store: world.at("JB721TiersHookStore"),
          metadataIdTarget: world.at("JB721TiersHook"),
          pricing: known({ currency: "1", decimals: "18" }),
          flags: known({
            noNewTiersWithReserves: false,
            noNewTiersWithVotes: false,
            noNewTiersWithOwnerMinting: false,
            preventOverspending: false,
            issueTokensForSplits: false
          }),
          baseUri: known("ipfs://base/"),
          contractUri: known("ipfs://contract"),
          tokenUriResolver: known(null)
        })
        assert.deepInclude(listed.value[0], { id: "5", price: "1000", effectivePrice: "900" })
      })
    )

    it.effect("answers the shop of a revnet, and the one behind the omnichain deployer, in three trips", () =>
      Effect.gen(function* () {
        const { answer, roundTrips } = yield* answered(asRevnet)
        assert.strictEqual(roundTrips, 3)
        assert.strictEqual(answer.shop.hook, HOOK)
        assert.isTrue(answer.isRevnet)
        const behindDeployer = (world: Contracts) =>
          withDataHook(world, world.at("JBOmnichainDeployer")).says(
            {
              contract: "JBOmnichainDeployer",
              function: "tiered721HookOf",
              args: [PROJECT, BigInt(ruleset().id)]
            },
            [HOOK, false]
          )
        const omnichain = yield* answered(behindDeployer)
        assert.strictEqual(omnichain.roundTrips, 3)
        assert.strictEqual(omnichain.answer.shop.hook, HOOK)
        const step = yield* answered(world => Object.assign(behindDeployer(world), { foresees: false }))
        assert.deepStrictEqual([step.answer, step.roundTrips], [omnichain.answer, 4])
      })
    )

    it.effect("tells the resolved URI of each tier by itself, and none that was not asked for", () =>
      Effect.gen(function* () {
        const { answer: plain } = yield* answered(world => world)
        assert.deepStrictEqual(
          plain.shop.tiers.value.map((row: unknown) => Object(row).resolvedUri),
          [null, null]
        )
        const resolving = { ...input, includeResolvedUri: true }
        const uriOf = (world: Contracts, id: number, resolvedUri: string) =>
          world.says(storeCall("tierOf", BigInt(id), true), tier(id, { resolvedUri }))
        const asked = Effect.fnUntraced(function* (change: (world: Contracts) => Contracts) {
          const { answer, roundTrips } = yield* answered(change, resolving)
          const shown: ReadonlyArray<unknown> = answer.shop.tiers.value
          return { roundTrips, uris: shown.map(row => Object(row).resolvedUri) }
        })
        const whole = (world: Contracts) => uriOf(uriOf(world, 5, "ipfs://five"), 9, "ipfs://nine")
        assert.deepStrictEqual(yield* asked(whole), {
          roundTrips: 4,
          uris: [known("ipfs://five"), known("ipfs://nine")]
        })
        const codes = Effect.fnUntraced(function* (change: (world: Contracts) => Contracts) {
          return (yield* asked(change)).uris.map(({ value, error }) => error?.code ?? value.length)
        })
        assert.deepStrictEqual(yield* codes(world => uriOf(world, 9, "nine")), ["CALL_REVERTED", 4])
        const longest = "x".repeat(131_070)
        const long = (world: Contracts) => uriOf(uriOf(world, 5, longest), 9, `${longest}x`)
        assert.deepStrictEqual(yield* codes(long), [131_070, "READ_LIMIT_EXCEEDED"])
        const together = (world: Contracts) => Object.assign(long(world), { mostCharacters: 300_000 })
        assert.deepStrictEqual(yield* codes(together), [131_070, "READ_LIMIT_EXCEEDED"])
      })
    )

    it.effect("leads from page to page, one category at a time", () =>
      Effect.gen(function* () {
        const { answer } = yield* answered(world => tiers(world, [5, 9, 2]))
        assert.deepInclude(answer.pagination.value, { returned: 2, complete: false, nextStartingId: "2" })
        assert.strictEqual(answer.shop.tiers.value.length, 2)
        const categories = { ...input, categories: [1, 4] }
        const { answer: several } = yield* answered(world => tiers(world, [5, 9, 2], [1n, 4n]), categories)
        assert.deepInclude(several.pagination.value, { complete: false, nextStartingId: null })
      })
    )

    it.effect("lists none of the empty tiers that the store counts on with past the last one", () =>
      Effect.gen(function* () {
        const neverAdded = [9, 10, 11].map(id =>
          tier(id, { price: 0n, initialSupply: 0, remainingSupply: 0 })
        )
        const { answer } = yield* answered(
          world => world.says(storeCall("tiersOf", [], false, 9n, 3n), neverAdded),
          {
            ...input,
            startingId: "9"
          }
        )
        assert.deepStrictEqual(answer.shop.tiers, known([]))
        assert.deepInclude(answer.pagination.value, { returned: 0, complete: true, nextStartingId: null })
      })
    )

    it.effect(
      "knows no shop where the data hook is none, a buyback, or a stranger that payments pass by",
      () =>
        Effect.gen(function* () {
          const none: ReadonlyArray<(world: Contracts) => Contracts> = [
            world => withDataHook(world, ZERO),
            world => withDataHook(world, world.at("JBBuybackHookRegistry")),
            world => withDataHook(world, world.at("JBBuybackHook")),
            world => withDataHook(world, world.at("JBBuybackHook", "v1")),
            world => withDataHook(world, STRANGER, false),
            world => asRevnet(world).says(ofRevnet, ZERO)
          ]
          for (const change of none) {
            const { answer } = yield* answered(change)
            assert.hasAllKeys(answer, ["project", "isRevnet", "shop", "evidence"])
            assert.isNull(answer.shop)
          }
          const { answer } = yield* answered(world => withDataHook(world, HOOK, false))
          assert.isFalse(answer.activePayRuleset)
        })
    )

    it.effect("shows the shop of a revnet that waits for its first stage", () =>
      Effect.gen(function* () {
        const { answer } = yield* answered(world => asRevnet(world).says(currentRuleset, NOT_STARTED))
        assert.deepInclude(answer, { isRevnet: true, activePayRuleset: false })
        assert.strictEqual(answer.shop.hook, HOOK)
      })
    )

    it.effect("refuses foreign hooks, controllers and half revnets", () =>
      Effect.gen(function* () {
        const controller = { contract: "JBDirectory", function: "controllerOf", args: [PROJECT] }
        const refusals: ReadonlyArray<readonly [string, (world: Contracts) => Contracts]> = [
          ["PROJECT_WITHOUT_CONTROLLER", world => world.says(controller, ZERO)],
          ["UNSUPPORTED_CONTROLLER", world => world.says(controller, STRANGER)],
          ["UNSUPPORTED_721_HOOK", world => withDataHook(world, STRANGER)],
          [
            "UNSUPPORTED_721_HOOK",
            world => world.code(HOOK, proxyCode("erc1167", world.at("JB721TiersHook")))
          ],
          ["UNSUPPORTED_721_HOOK", world => world.code(HOOK, proxyCode("solady", STRANGER))],
          ["INVALID_721_IDENTITY", world => world.says(hookCall("STORE"), STRANGER)],
          ["INVALID_721_IDENTITY", world => world.says(hookCall("DIRECTORY"), STRANGER)],
          ["INVALID_721_IDENTITY", world => world.says(hookCall("projectId"), 8n)],
          ["INVALID_721_IDENTITY", world => world.says(hookCall("METADATA_ID_TARGET"), STRANGER)],
          ["INVALID_REVNET_IDENTITY", world => asRevnet(world).says(owner, STRANGER)],
          ["INVALID_REVNET_IDENTITY", world => withDataHook(asRevnet(world), HOOK)],
          ["INVALID_REVNET_IDENTITY", world => withDataHook(asRevnet(world), world.at("REVOwner"), false)]
        ]
        for (const [code, change] of refusals) {
          assert.strictEqual((yield* answered(change)).refused, code, String(change))
        }
      })
    )

    it.effect("says what it could not read, and refuses where that is which hook it is", () =>
      Effect.gen(function* () {
        const world = yield* chain
        for (const [reply, code] of CUTS) {
          assert.deepStrictEqual(yield* cuts(world, runGet721Shop, input, reply), {
            "JBDirectory.controllerOf": code,
            "JBController.currentRulesetOf": code,
            "REVDeployer.hashedEncodedConfigurationOf": code,
            "JBProjects.ownerOf": [],
            "REVOwner.tiered721HookOf": [],
            "JB721TiersHook.STORE": code,
            "JB721TiersHook.DIRECTORY": code,
            "JB721TiersHook.projectId": code,
            "JB721TiersHook.METADATA_ID_TARGET": code,
            "JB721TiersHook.pricingContext": [`shop.pricing: ${code}`],
            "JB721TiersHook.baseURI": [`shop.baseUri: ${code}`],
            "JB721TiersHook.contractURI": [`shop.contractUri: ${code}`],
            "JB721TiersHookStore.flagsOf": [`shop.flags: ${code}`],
            "JB721TiersHookStore.tokenUriResolverOf": [`shop.tokenUriResolver: ${code}`],
            "JB721TiersHookStore.tiersOf": [`shop.tiers: ${code}`, `pagination: ${code}`]
          })
        }
        const revnet = asRevnet(yield* chain)
        const half = yield* cuts(revnet, runGet721Shop, input)
        assert.strictEqual(half["JBProjects.ownerOf"], "CALL_REVERTED")
        assert.strictEqual(half["REVOwner.tiered721HookOf"], "CALL_REVERTED")
      })
    )
  })
})
