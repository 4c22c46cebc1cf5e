import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { Catalog } from "../../src/catalog/Catalog.ts"
import type { Deployment } from "../../src/catalog/CatalogIndex.ts"
import { CLONE_FAMILIES, PROOFS } from "../../src/catalog/CloneFamilies.ts"
import { RuntimePins } from "../../src/protocol/RuntimePins.ts"
import { keccak256 } from "../../src/values/Keccak.ts"
import {
  ADDRESS_REGISTRY,
  at,
  CLONE,
  FAMILIES,
  namesOf,
  PROJECT,
  proxyCode,
  refusal,
  resolved,
  STRANGER,
  SUCKER_REGISTRY,
  TIERS_HOOK,
  worldOf
} from "./support/Clones.ts"
import { pinnedCatalog, resolve, TOKEN, TOKENS } from "./support/Protocol.ts"

const PAYER = "@bananapus/project-payer-v6:src/JBProjectPayer.sol:JBProjectPayer"
const SPLIT_HOOK = "@bananapus/univ4-lp-split-hook-v6:src/JBUniswapV4LPSplitHook.sol:JBUniswapV4LPSplitHook"

/** The pinned catalog with some of its rows changed. */
const catalogWith = (
  change: (row: Deployment) => Deployment
): Layer.Layer<Catalog, Layer.Layer.Error<typeof pinnedCatalog>> =>
  Layer.effect(
    Catalog,
    Effect.map(Catalog, catalog => ({
      ...catalog,
      deployments: (chainId: number, id: string) => catalog.deployments(chainId, id).map(change)
    }))
  ).pipe(Layer.provide(pinnedCatalog))

const retiring = (contractId: string) =>
  catalogWith(row => (row.contractId === contractId ? { ...row, retired: true } : row))

describe("clones", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("name every proof that failed, with its reason", () =>
      Effect.gen(function* () {
        const world = (yield* worldOf(TOKEN)).answer(CLONE, "tokens()", [], "address", STRANGER)
        world.answer(yield* at(TOKENS), "projectIdOf(address)", [CLONE], "uint256", 0n)
        const { context } = yield* refusal(TOKEN, world)
        assert.deepStrictEqual(context?.proofs, [
          { name: PROOFS.tokenProject, reason: "the answer is zero" },
          { name: PROOFS.tokenStore, reason: `the answer is ${STRANGER}` }
        ])
      })
    )

    it.effect("say which proof of the hook behind a checkpoint failed", () =>
      Effect.gen(function* () {
        const [, family] = FAMILIES.find(([name]) => name === "JB721Checkpoints") ?? []
        const contractId = family?.implementation ?? ""
        const world = yield* worldOf(contractId)
        const piece = world.pieces.find(({ name }) => name === "deployerOf(address)")
        world.replies.set(piece?.key ?? "", { result: "0x" })
        const { context } = yield* refusal(contractId, world)
        assert.deepStrictEqual(context?.proofs, [
          { name: PROOFS.hook, reason: `${PROOFS.registered}: the answer is empty` }
        ])
      })
    )

    it.effect("of a payer need a project or an owner", () =>
      Effect.gen(function* () {
        const spare = (yield* worldOf(PAYER)).answer(CLONE, "defaultProjectId()", [], "uint256", 0n)
        assert.strictEqual((yield* resolved(PAYER, spare)).provenance.kind, "verified-factory-clone")
        const ZERO = `0x${"00".repeat(20)}`
        const { context } = yield* refusal(PAYER, spare.answer(CLONE, "owner()", [], "address", ZERO))
        assert.deepStrictEqual(namesOf(context?.proofs), [PROOFS.payerUse])
      })
    )

    it.effect("of a factory that looks like one are refused", () =>
      Effect.gen(function* () {
        const world = yield* worldOf(TIERS_HOOK)
        const implementation = yield* at(TIERS_HOOK)
        world
          .answer(STRANGER, "HOOK()", [], "address", implementation)
          .answer(yield* at(ADDRESS_REGISTRY), "deployerOf(address)", [CLONE], "address", STRANGER)
        const { context } = yield* refusal(TIERS_HOOK, world)
        assert.deepStrictEqual(namesOf(context?.proofs), [PROOFS.registered])
      })
    )

    it.effect("of each generation are proved against their own factory", () =>
      Effect.gen(function* () {
        for (const generation of ["current", "previous", "v1"] as const) {
          const world = yield* worldOf(SPLIT_HOOK, CLONE, generation)
          const { provenance } = yield* resolved(SPLIT_HOOK, world)
          const [family] = CLONE_FAMILIES.filter(({ implementation }) => implementation === SPLIT_HOOK)
          assert.deepInclude(provenance, {
            generation,
            retired: generation !== "current",
            factory: yield* at(family?.factory ?? "", generation),
            implementation: yield* at(SPLIT_HOOK, generation)
          })
        }
        const world = yield* worldOf(SPLIT_HOOK, CLONE, "v1")
        const older = yield* worldOf(SPLIT_HOOK, CLONE)
        for (const [key, reply] of older.replies) world.replies.set(key, reply)
        const { _tag, context } = yield* refusal(SPLIT_HOOK, world)
        assert.strictEqual(_tag, "PROVENANCE_UNVERIFIED")
        assert.deepStrictEqual(namesOf(context?.proofs), [
          "JBUniswapV4LPSplitHookDeployer.hookImplementation() = implementation"
        ])
      })
    )

    it.effect("that are published are proved the same way, or have no code", () =>
      Effect.gen(function* () {
        const address = yield* at(TOKEN, "current", true)
        const world = yield* worldOf(TOKEN, address)
        assert.strictEqual((yield* resolved(TOKEN, world, address)).provenance.kind, "verified-factory-clone")
        world.answer(address, "tokens()", [], "address", STRANGER)
        assert.strictEqual((yield* refusal(TOKEN, world, address))._tag, "PROVENANCE_UNVERIFIED")
        const damaged = yield* refusal(TOKEN, world.code(address, "0x6001"), address)
        assert.strictEqual(damaged._tag, "PROVENANCE_UNVERIFIED")
        assert.include(namesOf(damaged.context?.proofs), "code(clone) is the exact erc1167 proxy")
        const gone = yield* refusal(TOKEN, world.code(address, "0x"), address)
        assert.strictEqual(gone._tag, "DEPLOYMENT_CODE_MISSING")
      })
    )

    it.effect("that are published as retired or with other code are not shown as current", () =>
      Effect.gen(function* () {
        const retired = yield* at(SPLIT_HOOK, "v1", true)
        const world = yield* worldOf(SPLIT_HOOK, retired)
        const { provenance } = yield* resolved(SPLIT_HOOK, world, retired)
        assert.deepInclude(provenance, { generation: "current", retired: true })
        const query = { contractId: SPLIT_HOOK, address: retired }
        const pins = Layer.succeed(RuntimePins, {
          confirmed: ({ address }) =>
            address === retired ? Option.some<`0x${string}`>(`0x${"12".repeat(32)}`) : Option.none()
        })
        const mismatch = yield* Effect.flip(resolve(query, { script: world.script(), pins }))
        assert.strictEqual(mismatch._tag, "RUNTIME_CODE_MISMATCH")
      })
    )

    it.effect("at an address that was published as something else are proved or refused", () =>
      Effect.gen(function* () {
        const address = yield* at(TOKEN)
        const world = yield* worldOf(TOKEN, CLONE)
        world.code(address, proxyCode("erc1167", STRANGER)).code(STRANGER, "0x6001")
        assert.strictEqual((yield* refusal(TOKEN, world, address))._tag, "PROVENANCE_UNVERIFIED")
        const tokens = yield* at(TOKENS)
        world.code(tokens, proxyCode("erc1167", STRANGER))
        const { _tag, context } = yield* refusal(TOKENS, world, tokens)
        assert.strictEqual(_tag, "PROVENANCE_UNVERIFIED")
        assert.deepStrictEqual(namesOf(context?.proofs), ["factory"])
      })
    )

    it.effect("of another contract's family are refused", () =>
      Effect.gen(function* () {
        const world = yield* worldOf(TIERS_HOOK)
        assert.strictEqual((yield* refusal(TOKEN, world))._tag, "TARGET_UNVERIFIED")
        assert.strictEqual((yield* refusal(SPLIT_HOOK, world))._tag, "PROVENANCE_UNVERIFIED")
      })
    )

    it.effect("are verified where the code of the implementation is confirmed, and never against it", () =>
      Effect.gen(function* () {
        const world = yield* worldOf(TIERS_HOOK)
        const implementation = yield* at(TIERS_HOOK)
        const pinned = (hash: `0x${string}`) =>
          Layer.succeed(RuntimePins, {
            confirmed: ({ address }) => (address === implementation ? Option.some(hash) : Option.none())
          })
        const query = { contractId: TIERS_HOOK, address: CLONE }
        const right = pinned(keccak256(new Uint8Array([0x60, 0x01])))
        const { provenance } = yield* resolve(query, { script: world.script(), pins: right })
        assert.isTrue(provenance.runtimeVerified)
        assert.notProperty(provenance, "verificationGap")
        const wrong = pinned(`0x${"12".repeat(32)}`)
        const mismatch = yield* Effect.flip(resolve(query, { script: world.script(), pins: wrong }))
        assert.strictEqual(mismatch._tag, "RUNTIME_CODE_MISMATCH")
      })
    )

    it.effect("of an implementation that is not published say so", () =>
      Effect.gen(function* () {
        const [, family] = FAMILIES.find(([name]) => name === "JB721TiersHook") ?? []
        const world = (yield* worldOf(TIERS_HOOK))
          .code(CLONE, proxyCode("solady", STRANGER))
          .code(STRANGER, "0x6001")
          .answer(yield* at(family?.factory ?? ""), "HOOK()", [], "address", STRANGER)
        const { provenance } = yield* resolved(TIERS_HOOK, world)
        assert.deepInclude(provenance, {
          runtimeVerified: false,
          verificationGap: "implementation-unpublished"
        })
      })
    )

    it.effect("are tied to the project that they name", () =>
      Effect.gen(function* () {
        const world = yield* worldOf(TOKEN)
        const query = { contractId: TOKEN, address: CLONE, projectId: String(PROJECT) }
        const { provenance } = yield* resolve(query, { script: world.script() })
        assert.deepInclude(provenance.projectContext, { projectId: "7", anchor: yield* at(TOKENS) })
      })
    )
  })

  const anchors = [
    [TOKEN, TOKENS, PROOFS.tokenProject],
    [TIERS_HOOK, ADDRESS_REGISTRY, PROOFS.registered],
    ["@bananapus/suckers-v6:src/JBBaseSucker.sol:JBBaseSucker", SUCKER_REGISTRY, PROOFS.isSucker]
  ] as const

  it.effect.each(anchors)("of %s are not proved by a retired anchor", ([contractId, anchor, proof]) =>
    Effect.gen(function* () {
      const world = yield* Effect.provide(worldOf(contractId), pinnedCatalog)
      const { _tag, context } = yield* refusal(contractId, world)
      assert.strictEqual(_tag, "PROVENANCE_UNVERIFIED")
      assert.include(namesOf(context?.proofs), proof)
    }).pipe(Effect.provide(retiring(anchor)))
  )
})
