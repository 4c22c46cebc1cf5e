import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { ResolveQuery } from "../../src/protocol/ProtocolSchemas.ts"
import { ResolveContract } from "../../src/protocol/ResolveContract.ts"
import { RuntimePins } from "../../src/protocol/RuntimePins.ts"
import { clientOver } from "../chain/ChainUnderTest.ts"
import { type FakeNode, fakeNode } from "../support/FakeNode.ts"
import { CONTROLLER, pinnedCatalog, published } from "./support/Protocol.ts"

const query = Schema.decodeSync(ResolveQuery)({ chainId: "1", contractId: CONTROLLER })

const resolve = Effect.flatMap(ResolveContract, room => room.resolve(query))

const codesAsked = (node: FakeNode) => node.methods().filter(method => method === "eth_getCode").length

const onNodes = <A, E, R>(
  body: (first: FakeNode, second: FakeNode) => Effect.Effect<A, E, R | ResolveContract>
) =>
  Effect.gen(function* () {
    const [first, second] = yield* Effect.all([fakeNode(), fakeNode()])
    for (const node of [first, second]) node.on("eth_getCode", { result: "0x6001" })
    const chain = clientOver({ chainId: 1, urls: [first.url, second.url] })
    const room = yield* Layer.build(
      ResolveContract.layer.pipe(Layer.provide(chain), Layer.provide(RuntimePins.none))
    )
    return yield* Effect.provide(body(first, second), room)
  })

describe("operations that rest on one block", () => {
  it.layer(pinnedCatalog)(it => {
    it.scoped("ask for code once, and each reads the head itself", () =>
      onNodes(node =>
        Effect.gen(function* () {
          const first = yield* resolve
          const before = node.roundTrips()
          assert.deepStrictEqual(yield* resolve, first)
          assert.strictEqual(node.roundTrips() - before, 1)
          assert.strictEqual(node.calls.at(-1)?.method, "eth_getBlockByNumber")
          assert.strictEqual(codesAsked(node), 1)
        })
      )
    )

    it.scoped("ask for code once also at the same moment", () =>
      onNodes(node =>
        Effect.gen(function* () {
          yield* Effect.all(
            Array.from({ length: 20 }, () => resolve),
            { concurrency: "unbounded" }
          )
          assert.strictEqual(codesAsked(node), 1)
        })
      )
    )

    it.scoped("ask anew of the next block, and of one that takes the place of another", () =>
      onNodes(node =>
        Effect.gen(function* () {
          yield* resolve
          node.mine()
          yield* resolve
          assert.strictEqual(codesAsked(node), 2)
          node.reorg(1)
          node.on("eth_getCode", { result: "0x6002" })
          const after = yield* resolve
          assert.strictEqual(codesAsked(node), 3)
          assert.strictEqual(after.evidence[0]?.blockHash, node.head().hash)
          node.on("eth_getCode", { result: "0x" })
          node.mine()
          assert.strictEqual((yield* Effect.flip(resolve))._tag, "DEPLOYMENT_CODE_MISSING")
        })
      )
    )

    it.scoped("take nothing from what another endpoint said", () =>
      onNodes((first, second) =>
        Effect.gen(function* () {
          const { address } = yield* published(CONTROLLER)
          yield* resolve
          first.once("eth_getBlockByNumber", { wire: { kind: "reset" } })
          second.on("eth_getCode", { result: "0x6002" })
          assert.strictEqual((yield* resolve).address, address)
          assert.strictEqual(codesAsked(second), 1)
        })
      )
    )

    it.scoped("ask anew where the node did not answer", () =>
      onNodes(node =>
        Effect.gen(function* () {
          node.once("eth_getCode", { error: { code: -32_000 } })
          assert.strictEqual((yield* Effect.flip(resolve))._tag, "RPC_UNAVAILABLE")
          yield* Effect.either(resolve)
          yield* resolve
        })
      )
    )
  })
})
