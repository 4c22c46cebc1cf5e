import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Schema } from "effect"
import { Resolution } from "../../src/protocol/ProtocolSchemas.ts"
import { RuntimePins } from "../../src/protocol/RuntimePins.ts"
import { keccak256 } from "../../src/values/Keccak.ts"
import { BUYBACK, CONTROLLER, pinnedCatalog, published, resolve, TOKEN } from "./support/Protocol.ts"
import { HASH, noTraffic, type Script } from "./support/ScriptedChain.ts"

const CODE = "0x6001"
const CODE_HASH = keccak256(new Uint8Array([0x60, 0x01]))
const NOBODY = "0x00000000000000000000000000000000000000aa"

const pinnedTo = (hash: typeof CODE_HASH) =>
  Layer.succeed(RuntimePins, { confirmed: () => Option.some(hash) })

const codeAt = (address: string): Script => ({ codes: { [address]: CODE } })

describe("resolving a contract", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("answers the published deployment with the evidence of one block in two round trips", () =>
      Effect.gen(function* () {
        const controller = yield* published(CONTROLLER)
        const traffic = noTraffic()
        const result = yield* resolve({}, { script: codeAt(controller.address), traffic })
        assert.isTrue(Schema.is(Resolution)(result))
        assert.deepInclude(result, {
          chainId: 1,
          contractId: CONTROLLER,
          address: controller.address,
          abiHash: controller.abiHash,
          evidence: [
            { chainId: 1, blockNumber: "100", blockHash: HASH, timestamp: "1700000000", source: "onchain" }
          ]
        })
        assert.deepStrictEqual(traffic, {
          snapshots: [undefined],
          batches: [
            [
              {
                method: "eth_getCode",
                params: [controller.address, { blockHash: HASH, requireCanonical: true }]
              }
            ]
          ]
        })
      })
    )

    it.effect("rests on the block that was asked for, or on none", () =>
      Effect.gen(function* () {
        const { address } = yield* published(CONTROLLER)
        const traffic = noTraffic()
        const setting = { script: codeAt(address), traffic }
        const { evidence } = yield* resolve({ blockNumber: "7" }, setting)
        assert.strictEqual(evidence[0].blockNumber, "7")
        const refusal = yield* Effect.flip(resolve({ blockNumber: "101" }, setting))
        assert.strictEqual(refusal._tag, "BLOCK_UNAVAILABLE")
        assert.deepStrictEqual(traffic.snapshots, [7n, 101n])
      })
    )

    it.effect("is refused by a node for the block that was asked for, and for no other", () =>
      Effect.gen(function* () {
        const refusedWith = (codesRefused: number, query: { readonly blockNumber?: string }) =>
          Effect.map(Effect.flip(resolve(query, { script: { codesRefused } })), ({ _tag }) => _tag)
        assert.strictEqual(yield* refusedWith(-32_000, { blockNumber: "7" }), "BLOCK_UNAVAILABLE")
        assert.strictEqual(yield* refusedWith(-32_005, { blockNumber: "7" }), "RPC_UNAVAILABLE")
        assert.strictEqual(yield* refusedWith(-32_000, {}), "RPC_UNAVAILABLE")
      })
    )

    it.effect("labels what it could not verify and verifies only an exact confirmed hash", () =>
      Effect.gen(function* () {
        const { address, runtimeCodeHash } = yield* published(CONTROLLER)
        assert.isNotNull(runtimeCodeHash)
        const script = codeAt(address)
        const unconfirmed = yield* resolve({}, { script })
        assert.deepInclude(unconfirmed.provenance, {
          kind: "published-deployment",
          runtimeVerified: false,
          runtimeCodeHash: CODE_HASH,
          verificationGap: "runtime-hash-unconfirmed-and-different"
        })
        const verified = yield* resolve({}, { script, pins: pinnedTo(CODE_HASH) })
        assert.isTrue(verified.provenance.runtimeVerified)
        assert.notProperty(verified.provenance, "verificationGap")
      })
    )

    it.effect("never weakens a known mismatch and refuses missing code", () =>
      Effect.gen(function* () {
        const { address } = yield* published(CONTROLLER)
        const pins = pinnedTo(HASH)
        const mismatch = yield* Effect.flip(resolve({}, { script: codeAt(address), pins }))
        assert.strictEqual(mismatch._tag, "RUNTIME_CODE_MISMATCH")
        const missing = yield* Effect.flip(resolve({}, { pins }))
        assert.strictEqual(missing._tag, "DEPLOYMENT_CODE_MISSING")
      })
    )

    it.effect("refuses what the catalog rules out without asking the chain", () =>
      Effect.gen(function* () {
        const controller = yield* published(CONTROLLER)
        const traffic = noTraffic()
        const refusals = [
          ["CONTRACT_NOT_FOUND", { contractId: "JBController" }],
          [
            "CONTRACT_NOT_EXECUTABLE",
            { contractId: "@bananapus/core-v6:src/interfaces/IJBController.sol:IJBController" }
          ],
          [
            "CONTRACT_NOT_EXECUTABLE",
            { contractId: "@bananapus/suckers-v6:src/libraries/CCIPHelper.sol:CCIPHelper" }
          ],
          [
            "DEPLOYMENT_MISSING",
            { contractId: "@bananapus/distributor-v6:src/JBTokenDistributor.sol:JBTokenDistributor" }
          ],
          ["DEPLOYMENT_AMBIGUOUS", { contractId: TOKEN }],
          ["TARGET_UNVERIFIED", { address: NOBODY }],
          ["TARGET_UNVERIFIED", { contractId: BUYBACK, address: controller.address }],
          ["PROJECT_ID_INVALID", { projectId: "0" }],
          ["PROJECT_ID_INVALID", { projectId: "01" }],
          ["ASSOCIATION_UNSUPPORTED", { contractId: BUYBACK, projectId: "1" }],
          ["UNSUPPORTED_CHAIN", { chainId: "10" }]
        ] as const
        for (const [code, query] of refusals) {
          const refusal = yield* Effect.flip(resolve(query, { traffic }))
          assert.strictEqual(refusal._tag, code, JSON.stringify(query))
        }
        assert.deepStrictEqual(traffic, noTraffic())
      })
    )

    it.effect("names the addresses that make a resolution ambiguous", () =>
      Effect.gen(function* () {
        const token = yield* published(TOKEN)
        const refusal = yield* Effect.flip(resolve({ contractId: TOKEN }))
        assert.include(refusal.context?.addresses, token.address)
      })
    )

    it.effect("means the current deployment, and a retired one only by its address", () =>
      Effect.gen(function* () {
        const current = yield* published(BUYBACK)
        const retired = yield* published(BUYBACK, true)
        const script = { codes: { [current.address]: CODE, [retired.address]: CODE } }
        const byName = yield* resolve({ contractId: BUYBACK }, { script })
        assert.strictEqual(byName.address, current.address)
        const byAddress = yield* resolve(
          { contractId: BUYBACK, address: retired.address.toLowerCase() },
          { script }
        )
        assert.deepInclude(byAddress, { address: retired.address, abiHash: retired.abiHash })
        assert.notStrictEqual(retired.abiHash, current.abiHash)
        assert.deepInclude(byAddress.provenance, { retired: true, generation: "v1" })
      })
    )
  })
})
