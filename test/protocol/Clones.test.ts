import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Catalog } from "../../src/catalog/Catalog.ts"
import { familyOf } from "../../src/catalog/CloneFamilies.ts"
import { Resolution } from "../../src/protocol/ProtocolSchemas.ts"
import { keccak256 } from "../../src/values/Keccak.ts"
import {
  ADDRESS_REGISTRY,
  at,
  CLONE,
  codeProof,
  FAMILIES,
  getterProof,
  namesOf,
  proxyCode,
  refusal,
  resolved,
  STRANGER,
  SUCKER_REGISTRY,
  TIERS_HOOK,
  worldOf
} from "./support/Clones.ts"
import { pinnedCatalog } from "./support/Protocol.ts"
import type { NodeReply } from "./support/ScriptedChain.ts"

const NOT_A_PROXY = "code(implementation) is not a proxy"
const WORD = "00".repeat(32)

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
  })
})
