import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { AbiCoder, Interface } from "ethers"
import { Catalog } from "../../src/catalog/Catalog.ts"
import { ReadResult } from "../../src/protocol/ProtocolSchemas.ts"
import { CONTROLLER, pinnedCatalog, published, read } from "./support/Protocol.ts"
import { HASH, type NodeReply, noTraffic, type Script } from "./support/ScriptedChain.ts"

const coder = AbiCoder.defaultAbiCoder()
const V4_HOOK = "@bananapus/univ4-router-v6:src/JBUniswapV4Hook.sol:JBUniswapV4Hook"
const SOMEONE = "0x00000000000000000000000000000000000000AA"
const TOTAL = "totalTokenSupplyWithReservedTokensOf(uint256)"

const replying = (address: string, reply: NodeReply): Script => ({
  codes: { [address]: "0x6001" },
  calls: () => reply
})

const controllerReplying = (reply: NodeReply) =>
  Effect.map(published(CONTROLLER), ({ address }) => ({ script: replying(address, reply) }))

const uint = (value: bigint): NodeReply => ({ result: coder.encode(["uint256"], [value]) })

describe("reading a contract", () => {
  it.layer(pinnedCatalog)(it => {
    it.effect("answers exact values with one block for proof and call, in two round trips", () =>
      Effect.gen(function* () {
        const { address, abiHash } = yield* published(CONTROLLER)
        const traffic = noTraffic()
        const script = replying(address, uint(2n ** 256n - 1n))
        const result = yield* read({ function: TOTAL, args: '["12"]' }, { script, traffic })
        assert.isTrue(Schema.is(ReadResult)(result))
        assert.deepInclude(result, {
          address,
          abiHash,
          function: TOTAL,
          args: ["12"],
          outputs: [{ name: null, type: "uint256", value: (2n ** 256n - 1n).toString() }]
        })
        const at = { blockHash: HASH, requireCanonical: true }
        const data = new Interface([`function ${TOTAL}`]).encodeFunctionData(TOTAL, [12])
        assert.deepStrictEqual(traffic, {
          snapshots: [undefined],
          batches: [
            [
              { method: "eth_getCode", params: [address, at] },
              { method: "eth_call", params: [{ to: address, data, gas: "0x1c9c380" }, at] }
            ]
          ]
        })
      })
    )

    it.effect("lacks a block that was asked for where the node refuses what is read at it", () =>
      Effect.gen(function* () {
        const query = { function: TOTAL, args: '["12"]', blockNumber: "7" }
        const refusal = yield* Effect.flip(read(query, { script: { codesRefused: -32_000 } }))
        assert.strictEqual(refusal._tag, "BLOCK_UNAVAILABLE")
      })
    )

    it.effect("answers tuples as objects by their names", () =>
      Effect.gen(function* () {
        const { address, abiHash } = yield* published(CONTROLLER)
        const functions = yield* Effect.flatMap(Catalog, catalog => catalog.functions(abiHash))
        const entry = yield* Effect.fromNullable(functions.get("currentRulesetOf(uint256)"))
        const abi = new Interface([JSON.parse(JSON.stringify(entry))])
        const ruleset = [1, 2, 3, 4, 5, 6, 7, SOMEONE, 9]
        const metadata = Array.from({ length: 19 }, (_, index) =>
          index === 17 ? SOMEONE : index >= 3 && index <= 16 ? index % 2 === 0 : index
        )
        const result = abi.encodeFunctionResult("currentRulesetOf", [ruleset, metadata])
        const { outputs } = yield* read(
          { function: "currentRulesetOf(uint256)", args: '["1"]' },
          { script: replying(address, { result }) }
        )
        assert.deepInclude(outputs[0]?.value, { cycleNumber: "1", approvalHook: SOMEONE, metadata: "9" })
        assert.deepInclude(outputs[1]?.value, { reservedPercent: "0", dataHook: SOMEONE })
        assert.strictEqual(outputs[0]?.name, entry.outputs[0]?.name)
      })
    )

    it.effect("refuses writes, bare names and bad arguments without asking the chain", () =>
      Effect.gen(function* () {
        const traffic = noTraffic()
        const refusals = [
          [
            "FUNCTION_MUTABILITY_MISMATCH",
            { function: "burnTokensOf(address,uint256,uint256,string)", args: `["${SOMEONE}","1","1",""]` }
          ],
          ["FUNCTION_SIGNATURE_UNKNOWN", { function: "PROJECTS" }],
          ["FUNCTION_SIGNATURE_UNKNOWN", { function: "totalSupply()" }],
          ["ABI_ARGUMENT_INVALID", { function: TOTAL, args: "[1]" }],
          ["ABI_ARGUMENT_INVALID", { function: TOTAL, args: "[]" }],
          ["ABI_ARGUMENT_INVALID", { function: TOTAL, args: '{"projectId":"1"}' }],
          ["INVALID_JSON", { function: TOTAL, args: "[1" }],
          ["UNSAFE_JSON_NUMBER", { function: TOTAL, args: "[9007199254740993]" }]
        ] as const
        for (const [code, query] of refusals) {
          const refusal = yield* Effect.flip(read(query, { traffic }))
          assert.strictEqual(refusal._tag, code, JSON.stringify(query))
        }
        assert.deepStrictEqual(traffic, noTraffic())
      })
    )

    it.effect("reads by the ABI of the deployment that was addressed", () =>
      Effect.gen(function* () {
        const current = yield* published(V4_HOOK)
        const retired = yield* published(V4_HOOK, true)
        const catalog = yield* Catalog
        const added = "observationCoverageOf((address,address,uint24,int24,address))"
        assert.isTrue((yield* catalog.functions(current.abiHash)).has(added))
        const refusal = yield* Effect.flip(
          read({ contractId: V4_HOOK, address: retired.address, function: added })
        )
        assert.strictEqual(refusal._tag, "FUNCTION_SIGNATURE_UNKNOWN")
      })
    )

    it.effect("tells the reason of a revert by the ABI and never in the node's words", () =>
      Effect.gen(function* () {
        const text = new Interface(["error Error(string message)"]).encodeErrorResult("Error", ["closed"])
        const known = yield* controllerReplying({ error: { code: 3, data: text } })
        const refusal = yield* Effect.flip(read({}, known))
        assert.strictEqual(refusal._tag, "CALL_REVERTED")
        assert.deepStrictEqual(refusal.context, {
          revert: {
            selector: "0x08c379a0",
            name: "Error",
            args: [{ name: "message", type: "string", value: "closed" }]
          }
        })
        const silent = yield* Effect.flip(read({}, yield* controllerReplying({ error: { code: 3 } })))
        assert.deepStrictEqual(silent.context, { revert: { selector: null } })
        const refused = yield* Effect.flip(read({}, yield* controllerReplying({ error: { code: -32000 } })))
        assert.strictEqual(refused._tag, "RPC_UNAVAILABLE")
      })
    )

    it.effect("is a revert where the node refuses the call and the chain says that it fails", () =>
      Effect.gen(function* () {
        const { script } = yield* controllerReplying({ error: { code: -32_000 } })
        const refusalBut = (inside: NodeReply) =>
          Effect.flip(read({}, { script: { ...script, packed: () => inside } }))
        const reverted = yield* refusalBut({ error: { code: 3 } })
        assert.strictEqual(reverted._tag, "CALL_REVERTED")
        assert.deepStrictEqual(reverted.context, { revert: { selector: null } })
        assert.strictEqual((yield* refusalBut(uint(1n)))._tag, "RPC_UNAVAILABLE")
      })
    )

    it.effect("refuses returned data that does not fit the ABI", () =>
      Effect.gen(function* () {
        for (const result of ["0x", "0x01", `0x01${"00".repeat(31)}`]) {
          const refusal = yield* Effect.flip(read({}, yield* controllerReplying({ result })))
          assert.strictEqual(refusal._tag, "RPC_INVALID_RESPONSE", result)
          assert.strictEqual(refusal.retryable, false)
        }
      })
    )

    it.effect("says that code is missing before it judges what the call returned", () =>
      Effect.gen(function* () {
        const refusal = yield* Effect.flip(read({}, { script: { calls: () => ({ result: "0x" }) } }))
        assert.strictEqual(refusal._tag, "DEPLOYMENT_CODE_MISSING")
      })
    )
  })
})
