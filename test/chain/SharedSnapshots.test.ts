import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer } from "effect"
import { ChainClient } from "../../src/chain/ChainClient.ts"
import { gasPrice } from "../../src/chain/Reads.ts"
import { type FakeNode, fakeNode } from "../support/FakeNode.ts"
import { clientOver } from "./ChainUnderTest.ts"

const over = (nodes: ReadonlyArray<FakeNode>, callsPerMinute = 1_000_000) =>
  Effect.map(
    Layer.build(clientOver({ chainId: 1, urls: nodes.map(({ url }) => url), callsPerMinute })),
    Context.get(ChainClient)
  )

const heads = (node: FakeNode) =>
  node.calls.filter(({ method, params }) => method === "eth_getBlockByNumber" && params[0] === "latest")
    .length

const many = <A, E>(effect: Effect.Effect<A, E>, count = 10) =>
  Effect.all(
    Array.from({ length: count }, () => effect),
    { concurrency: "unbounded" }
  )

/** Holds the next read of the head until it is let go. */
const heldHead = (node: FakeNode) => {
  let release = () => {}
  const gate = new Promise<void>(resolve => {
    release = resolve
  })
  const head = node.head()
  node.once("eth_getBlockByNumber", async () => {
    await gate
    return { result: { ...head, number: `0x${head.number.toString(16)}`, timestamp: "0x0" } }
  })
  return release
}

describe("snapshots of the latest block", () => {
  it.scoped("that are taken at the same moment share one read, each with a session of its own", () =>
    Effect.gen(function* () {
      const node = yield* fakeNode()
      const client = yield* over([node])
      yield* client.session(1)
      const before = heads(node)
      const taken = yield* many(client.snapshot(1))
      assert.strictEqual(heads(node) - before, 1)
      assert.strictEqual(new Set(taken.map(({ session }) => session)).size, 10)
      for (const { session, block } of taken) {
        assert.strictEqual(block.hash, node.head().hash)
        assert.strictEqual(session.endpoint, "1/0")
        assert.deepStrictEqual(yield* session.all([gasPrice]), [1_000_000_000n])
      }
    })
  )

  it.scoped("see a block that was mined before they were asked for", () =>
    Effect.gen(function* () {
      const node = yield* fakeNode()
      const client = yield* over([node])
      yield* client.session(1)
      const release = heldHead(node)
      const seen = heads(node)
      const first = yield* Effect.fork(client.snapshot(1))
      yield* Effect.promise(() => node.received("eth_getBlockByNumber", seen + 3))
      const mined = node.mine()
      const later = yield* Effect.fork(many(client.snapshot(1), 3))
      yield* Effect.yieldNow()
      release()
      assert.strictEqual((yield* Fiber.join(first)).block.number, 0n)
      for (const { block } of yield* Fiber.join(later)) assert.strictEqual(block.hash, mined.hash)
      assert.strictEqual(heads(node) - seen, 2)
    })
  )

  it.scoped("take the next endpoint together where the first fails, and spend the budget once", () =>
    Effect.gen(function* () {
      const [first, second] = yield* Effect.all([fakeNode(), fakeNode()])
      const client = yield* over([first, second], 9)
      yield* client.session(1)
      first.once("eth_getBlockByNumber", { wire: { kind: "reset" } })
      const taken = yield* many(client.snapshot(1))
      assert.deepStrictEqual([...new Set(taken.map(({ session }) => session.endpoint))], ["1/1"])
      assert.strictEqual(heads(second), 1)
    })
  )

  it.scoped("fail together and are asked for anew afterwards", () =>
    Effect.gen(function* () {
      const node = yield* fakeNode()
      const client = yield* over([node])
      yield* client.session(1)
      node.once("eth_getBlockByNumber", { wire: { kind: "status", status: 500 } })
      const failed = yield* many(Effect.flip(client.snapshot(1)))
      assert.deepStrictEqual([...new Set(failed.map(({ _tag }) => _tag))], ["RPC_UNAVAILABLE"])
      assert.strictEqual((yield* client.snapshot(1)).block.number, 0n)
    })
  )

  it.scoped("close their connection when nobody waits for them any more", () =>
    Effect.gen(function* () {
      const node = yield* fakeNode()
      const client = yield* over([node])
      yield* client.session(1)
      node.once("eth_getBlockByNumber", { wire: { kind: "hang" } })
      const seen = node.methods().filter(method => method === "eth_getBlockByNumber").length
      const waiting = yield* Effect.fork(many(client.snapshot(1), 2))
      yield* Effect.promise(() => node.received("eth_getBlockByNumber", seen + 1))
      yield* Fiber.interrupt(waiting)
      assert.strictEqual((yield* client.snapshot(1)).block.number, 0n)
      assert.strictEqual(node.connections(), 2)
    })
  )
})

describe("snapshots of a numbered block, and sessions that begin with reads", () => {
  it.scoped("are not shared", () =>
    Effect.gen(function* () {
      const node = yield* fakeNode()
      const client = yield* over([node])
      yield* client.session(1)
      const before = node.roundTrips()
      yield* many(client.snapshot(1, 0n), 3)
      yield* many(client.begin(1, [gasPrice]), 3)
      assert.strictEqual(node.roundTrips() - before, 6)
    })
  )
})
