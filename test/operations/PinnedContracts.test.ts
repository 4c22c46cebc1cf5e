import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { AbiCoder } from "ethers"
import { gasPrice } from "../../src/chain/Reads.ts"
import { PinnedContracts } from "../../src/protocol/PinnedContracts.ts"
import { observed } from "../../src/values/Observed.ts"
import type { ProblemCode } from "../../src/values/ProblemRegister.ts"
import { Address, Uint256 } from "../../src/values/Scalars.ts"
import { clientOver } from "../chain/ChainUnderTest.ts"
import { pinnedCatalog } from "../protocol/support/Protocol.ts"
import {
  HASH,
  type NodeReply,
  noTraffic,
  type Script,
  scriptedChain,
  type Traffic
} from "../protocol/support/ScriptedChain.ts"
import { fakeNode, type Reply } from "../support/FakeNode.ts"

const OWNER = "0x00000000000000000000000000000000000000AA"
const coder = AbiCoder.defaultAbiCoder()

const over = (script: Script, traffic: Traffic = noTraffic()) =>
  PinnedContracts.layer.pipe(Layer.provide(scriptedChain(script, traffic)), Layer.provide(pinnedCatalog))

const owner = { result: coder.encode(["address"], [OWNER]) }

/** How an operation reads: a snapshot, then layers of reads side by side, parts of which may stay unknown. */
const view = Effect.gen(function* () {
  const chain = yield* (yield* PinnedContracts).snapshotOf(1)
  return yield* Effect.all(
    {
      evidence: Effect.succeed(chain.evidence),
      owner: chain.read("JBProjects", "ownerOf", [7n], Address),
      uri: observed(chain.read("JBController", "uriOf", ["7"], Schema.String)),
      supply: observed(chain.read("JBController", "totalTokenSupplyWithReservedTokensOf", [7n], Uint256)),
      code: chain.code(OWNER)
    },
    { concurrency: "unbounded" }
  )
})

describe("reads of canonical contracts at one block", () => {
  it.effect("travel together, pinned to the block's hash, and what fails stays unknown", () => {
    const traffic = noTraffic()
    const script: Script = {
      calls: (_, data) => (data.startsWith("0x6352211e") ? owner : { error: { code: 3, data: "0x" } })
    }
    return Effect.gen(function* () {
      const answer = yield* Effect.provide(view, over(script, traffic))
      assert.strictEqual(answer.owner, OWNER)
      assert.strictEqual(answer.code, "0x")
      assert.deepInclude(answer.uri, { status: "unknown" })
      assert.strictEqual(answer.supply.status === "unknown" && answer.supply.error.code, "CALL_REVERTED")
      assert.deepInclude(answer.evidence, { chainId: 1, blockHash: HASH, source: "onchain" })
      assert.strictEqual(traffic.batches.length, 1)
      for (const { params } of traffic.batches[0] ?? []) {
        assert.deepStrictEqual(params[1], { blockHash: HASH, requireCanonical: true })
      }
    })
  })

  it.effect("say of an address that answers nothing no more than that", () => {
    const calls = (_: string, data: string) => (data.startsWith("0x6352211e") ? owner : { result: "0x" })
    return Effect.gen(function* () {
      const { uri } = yield* Effect.provide(view, over({ calls }))
      const { code, message } = uri.status === "unknown" ? uri.error : assert.fail("known")
      assert.strictEqual(code, "DEPLOYMENT_CODE_MISSING")
      assert.include(message, "or none for this function")
    })
  })

  it.effect("are answered where what another call is answered with is no hex", () => {
    const calls = (_: string, data: string) => (data.startsWith("0x6352211e") ? owner : { result: "none" })
    return Effect.gen(function* () {
      const { owner: told, uri } = yield* Effect.provide(view, over({ calls }))
      assert.strictEqual(told, OWNER)
      assert.strictEqual(uri.status === "unknown" && uri.error.code, "RPC_INVALID_RESPONSE")
    })
  })

  const refused = { error: { code: -32_000 } }
  const inside: ReadonlyArray<readonly [string, NodeReply, ProblemCode]> = [
    ["fail", { error: { code: 3, data: "0x" } }, "CALL_REVERTED"],
    ["succeed", { result: "0x" }, "RPC_UNAVAILABLE"],
    ["are refused too", refused, "RPC_UNAVAILABLE"]
  ]

  it.effect.each(inside)(
    "that the node refuses are reverts only where they fail in a program: they %s",
    ([, reply, code]) => {
      const calls = (_: string, data: string) => (data.startsWith("0x6352211e") ? owner : refused)
      return Effect.gen(function* () {
        const { owner: told, uri } = yield* Effect.provide(view, over({ calls, packed: () => reply }))
        assert.strictEqual(told, OWNER)
        assert.strictEqual(uri.status === "unknown" && uri.error.code, code)
      })
    }
  )

  it.effect("that a node refuses for its limit are asked no further", () => {
    const traffic = noTraffic()
    const calls = () => ({ error: { code: -32_005 } })
    const packed = () => ({ error: { code: 3, data: "0x" } })
    const one = Effect.gen(function* () {
      const chain = yield* (yield* PinnedContracts).snapshotOf(1)
      return yield* observed(chain.read("JBController", "uriOf", ["7"], Schema.String))
    })
    return Effect.gen(function* () {
      const uri = yield* Effect.provide(one, over({ calls, packed }, traffic))
      assert.strictEqual(uri.status === "unknown" && uri.error.code, "RPC_UNAVAILABLE")
      assert.strictEqual(traffic.batches.length, 1)
    })
  })

  const fails: ReadonlyArray<Reply> = [{ error: { code: -32_601 } }, { result: "0x05" }]

  it.scoped.each(fails)("are answered where what is asked apart beside them fails: %o", reply =>
    Effect.gen(function* () {
      const node = yield* fakeNode()
      node.on("eth_call", owner)
      node.on("eth_gasPrice", reply)
      node.on("eth_getBalance", reply)
      const looking = Effect.gen(function* () {
        const chain = yield* (yield* PinnedContracts).snapshotOf(1)
        const before = node.roundTrips()
        const told = yield* Effect.all(
          [
            observed(chain.read("JBProjects", "ownerOf", [7n], Address)),
            observed(chain.askApart(gasPrice)),
            observed(chain.balance(OWNER))
          ],
          { concurrency: "unbounded" }
        )
        assert.strictEqual(node.roundTrips() - before, 1)
        return told.map(({ status }) => status)
      })
      const chain = clientOver({ chainId: 1, urls: [node.url] })
      const rooms = PinnedContracts.layer.pipe(Layer.provide(chain), Layer.provide(pinnedCatalog))
      assert.deepStrictEqual(yield* Effect.provide(looking, rooms), ["known", "unknown", "unknown"])
    })
  )
})
