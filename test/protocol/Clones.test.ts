import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Schema } from "effect"
import { Catalog } from "../../src/catalog/Catalog.ts"
import type { Deployment } from "../../src/catalog/CatalogIndex.ts"
import { CLONE_FAMILIES, familyOf, PROOFS } from "../../src/catalog/CloneFamilies.ts"
import { Resolution } from "../../src/protocol/ProtocolSchemas.ts"
import { RuntimePins } from "../../src/protocol/RuntimePins.ts"
import { keccak256 } from "../../src/values/Keccak.ts"
import {
  ADDRESS_REGISTRY,
  at,
  CLONE,
  codeProof,
  FAMILIES,
  getterProof,
  PROJECT,
  proxyCode,
  SUCKER_REGISTRY,
  TIERS_HOOK,
  type World,
  worldOf
} from "./support/Clones.ts"
import { pinnedCatalog, resolve, TOKEN, TOKENS } from "./support/Protocol.ts"
import type { NodeReply } from "./support/ScriptedChain.ts"

const PAYER = "@bananapus/project-payer-v6:src/JBProjectPayer.sol:JBProjectPayer"
const SPLIT_HOOK = "@bananapus/univ4-lp-split-hook-v6:src/JBUniswapV4LPSplitHook.sol:JBUniswapV4LPSplitHook"
const NOT_A_PROXY = "code(implementation) is not a proxy"
const STRANGER = `0x${"77".repeat(20)}`
const WORD = "00".repeat(32)

const resolved = (contractId: string, world: World, address: string = CLONE) =>
  resolve({ contractId, address }, { script: world.script() })

const refusal = (contractId: string, world: World, address?: string) =>
  Effect.flip(resolved(contractId, world, address))

const namesOf = (proofs: unknown): ReadonlyArray<string> =>
  Array.isArray(proofs) ? proofs.map(({ name, reason }) => (reason ? String(name) : "without a reason")) : []

const breaking = (type: string, spare: boolean): ReadonlyArray<readonly [string, NodeReply]> => [
  ["reverts", { error: { code: 3, data: "0x" } }],
  ["reverts with data", { error: { code: 3, data: "0x08c379a0" } }],
  ["is empty", { result: "0x" }],
  ["is short", { result: `0x${"00".repeat(31)}` }],
  ["is long", { result: `0x${"00".repeat(33)}` }],
  ["is two words", { result: `0x${WORD}${WORD}` }],
  ...(type === "uint256" ? [] : [["is junk", { result: `0x${"ff".repeat(32)}` }] as const]),
  ...(spare ? [] : [["is zero", { result: `0x${WORD}` }] as const]),
  ...(type === "address" && !spare
    ? [["is a stranger", { result: `0x${"00".repeat(12)}${"77".repeat(20)}` }] as const]
    : [])
]

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
    it.effect.each(FAMILIES)("of %s are proved by their factory", ([, family]) =>
      Effect.gen(function* () {
        const world = yield* worldOf(family.implementation)
        const result = yield* resolved(family.implementation, world)
        assert.isTrue(Schema.is(Resolution)(result))
        assert.strictEqual(result.address.toLowerCase(), CLONE)
        const row = (yield* Catalog).deployments(1, family.implementation).find(({ clone }) => !clone)
        assert.strictEqual(result.abiHash, row?.abiHash)
        assert.deepInclude(result.provenance, {
          kind: "verified-factory-clone",
          standard: family.standard,
          implementation: yield* at(family.implementation),
          factory: yield* at(family.factory),
          association: family.association,
          proofs: [codeProof(family), getterProof(family), NOT_A_PROXY, ...family.proofs],
          generation: "current",
          retired: false,
          runtimeVerified: false,
          runtimeCodeHash: keccak256(Buffer.from((world.codes.get(CLONE) ?? "").slice(2), "hex"))
        })
      })
    )

    it.effect.each(FAMILIES)("of %s are refused when any one answer of their proof is wrong", ([, family]) =>
      Effect.gen(function* () {
        const { pieces } = yield* worldOf(family.implementation)
        assert.isNotEmpty(pieces)
        for (const { key, name, proof, spare, type } of pieces) {
          for (const [fault, reply] of breaking(type, spare)) {
            const world = yield* worldOf(family.implementation)
            world.replies.set(key, reply)
            const { _tag, context } = yield* refusal(family.implementation, world)
            const label = `${name} ${fault}`
            assert.strictEqual(_tag, "PROVENANCE_UNVERIFIED", label)
            assert.deepInclude(context, { chainId: 1, contractId: family.implementation }, label)
            assert.include(namesOf(context?.proofs), proof, label)
          }
        }
      })
    )

    it.effect.each(FAMILIES)("of %s stay unproved while the node refuses one answer", ([, family]) =>
      Effect.gen(function* () {
        const { pieces } = yield* worldOf(family.implementation)
        for (const { key, name } of pieces) {
          const world = yield* worldOf(family.implementation)
          world.replies.set(key, { error: { code: -32_000 } })
          assert.strictEqual((yield* refusal(family.implementation, world))._tag, "RPC_UNAVAILABLE", name)
        }
      })
    )

    it.effect.each(FAMILIES)("of %s are byte for byte the proxy that the factory makes", ([, family]) =>
      Effect.gen(function* () {
        const implementation = yield* at(family.implementation)
        const { standard } = family
        const proper = proxyCode(standard, implementation)
        const codes = [
          "0x",
          `${proper}00`,
          proper.slice(0, -2),
          `${proper.slice(0, -1)}${proper.endsWith("3") ? "4" : "3"}`,
          `0x37${proper.slice(4)}`,
          proxyCode(standard === "solady" ? "erc1167" : "solady", implementation),
          "0x6001"
        ]
        for (const code of codes) {
          const world = (yield* worldOf(family.implementation)).code(CLONE, code)
          const { _tag, context } = yield* refusal(family.implementation, world)
          assert.strictEqual(_tag, "TARGET_UNVERIFIED", code)
          assert.deepStrictEqual(namesOf(context?.proofs), [codeProof(family)], code)
        }
        const foreign = (yield* worldOf(family.implementation))
          .code(CLONE, proxyCode(standard, STRANGER))
          .code(STRANGER, "0x6001")
        const { _tag, context } = yield* refusal(family.implementation, foreign)
        assert.strictEqual(_tag, "PROVENANCE_UNVERIFIED")
        assert.deepStrictEqual(namesOf(context?.proofs), [getterProof(family)])
      })
    )

    it.effect.each(FAMILIES)(
      "of %s are refused when the implementation is a proxy or nothing",
      ([, family]) =>
        Effect.gen(function* () {
          const implementation = yield* at(family.implementation)
          const codes = [
            "0x",
            proxyCode("erc1167", STRANGER),
            proxyCode("solady", STRANGER),
            `0xef0100${"77".repeat(20)}`
          ]
          for (const code of codes) {
            const world = (yield* worldOf(family.implementation)).code(implementation, code)
            const { _tag, context } = yield* refusal(family.implementation, world)
            assert.strictEqual(_tag, "PROVENANCE_UNVERIFIED", code)
            assert.include(namesOf(context?.proofs), NOT_A_PROXY, code)
          }
        })
    )

    it.effect.each(FAMILIES)("of %s are asked functions that the published contracts have", ([, family]) =>
      Effect.gen(function* () {
        const catalog = yield* Catalog
        const hook = familyOf(TIERS_HOOK)?.factory ?? ""
        const asked = [family.implementation, family.factory, TIERS_HOOK, hook]
        const anchors = [ADDRESS_REGISTRY, SUCKER_REGISTRY]
        const rows = [...asked, ...anchors].flatMap(id => catalog.deployments(1, id).slice(0, 1))
        const functions = yield* Effect.forEach(rows, ({ abiHash }) => catalog.functions(abiHash))
        for (const { name, type } of (yield* worldOf(family.implementation)).pieces) {
          const outputs = functions.flatMap(entries => entries.get(name)?.outputs.map(out => out.type) ?? [])
          assert.include(outputs, type, name)
        }
      })
    )

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
