import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import { ChainClient } from "../../src/chain/ChainClient.ts"
import { gasPrice } from "../../src/chain/Reads.ts"
import type { FakeNode } from "../support/FakeNode.ts"
import { until } from "../support/Until.ts"
import { onNodes, tagOf } from "./ChainUnderTest.ts"

const session = Effect.flatMap(ChainClient, client => client.session(1))
const snapshot = (at?: bigint) => Effect.flatMap(ChainClient, client => client.snapshot(1, at))

const proofs = (node: FakeNode) => node.methods().filter(method => method === "eth_chainId").length

describe("the chain id", () => {
  it.effect("is proved once and again after ten minutes", () =>
    onNodes([{}], node =>
      Effect.gen(function* () {
        yield* session
        yield* snapshot()
        yield* TestClock.adjust("599 seconds")
        node.mine(599n)
        yield* session
        assert.strictEqual(proofs(node), 1)
        yield* TestClock.adjust("1 seconds")
        yield* session
        assert.strictEqual(proofs(node), 2)
      })
    )
  )

  it.effect("is proved again after the connection failed", () =>
    onNodes([{}], node =>
      Effect.gen(function* () {
        const opened = yield* session
        node.once("eth_gasPrice", { wire: { kind: "reset" } })
        yield* Effect.flip(opened.all([gasPrice]))
        yield* session
        assert.strictEqual(proofs(node), 2)
      })
    )
  )

  it.effect("of another chain keeps the endpoint out until it recovers", () =>
    onNodes([{}], node =>
      Effect.gen(function* () {
        node.on("eth_chainId", { result: "0x2" })
        assert.strictEqual(yield* tagOf(session), "RPC_CHAIN_MISMATCH")
        assert.strictEqual(yield* tagOf(snapshot()), "RPC_CHAIN_MISMATCH")
        node.on("eth_chainId", { result: "0x1" })
        assert.strictEqual((yield* session).endpoint, "1/0")
      })
    )
  )

  it.effect("of another chain hands over to the next endpoint", () =>
    onNodes([{ chainId: 5 }, {}], () =>
      Effect.map(session, ({ endpoint }) => assert.strictEqual(endpoint, "1/1"))
    )
  )

  it.effect("that is not configured is refused without a call", () =>
    onNodes([{}], node =>
      Effect.gen(function* () {
        const client = yield* ChainClient
        assert.strictEqual(yield* tagOf(client.session(2)), "UNSUPPORTED_CHAIN")
        assert.strictEqual(yield* tagOf(client.snapshot(2)), "UNSUPPORTED_CHAIN")
        assert.strictEqual(yield* tagOf(client.chain(2)), "UNSUPPORTED_CHAIN")
        assert.strictEqual(node.roundTrips(), 0)
      })
    )
  )
})

describe("a node that hangs", () => {
  it.effect("is the last that is asked once somebody waited for it in vain, however short", () =>
    onNodes([{}, {}], first =>
      Effect.gen(function* () {
        first.on("eth_chainId", { wire: { kind: "hang" } })
        const impatient = yield* Effect.fork(snapshot())
        yield* Effect.promise(() =>
          until(
            async () => proofs(first),
            asked => asked === 1
          )
        )
        yield* TestClock.adjust("3 seconds")
        yield* Fiber.interrupt(impatient)
        assert.strictEqual((yield* snapshot()).session.endpoint, "1/1")
      })
    )
  )
})

describe("an old head", () => {
  it.effect("puts the endpoint out of rotation until it recovers", () =>
    onNodes([{}], node =>
      Effect.gen(function* () {
        yield* TestClock.adjust("60 seconds")
        assert.strictEqual((yield* snapshot()).block.number, 0n)
        yield* TestClock.adjust("1 seconds")
        assert.strictEqual(yield* tagOf(snapshot()), "RPC_BEHIND")
        assert.strictEqual(yield* tagOf(session), "RPC_BEHIND")
        node.mine(61n)
        assert.strictEqual((yield* snapshot()).block.number, 1n)
      })
    )
  )

  it.effect("is looked for again within ten seconds", () =>
    onNodes([{}], () =>
      Effect.gen(function* () {
        yield* TestClock.adjust("55 seconds")
        yield* session
        yield* TestClock.adjust("9 seconds")
        yield* session
        yield* TestClock.adjust("1 seconds")
        assert.strictEqual(yield* tagOf(session), "RPC_BEHIND")
      })
    )
  )

  it.effect("is normal on the local sandbox", () =>
    onNodes(
      [{ chainId: 31337 }],
      () =>
        Effect.gen(function* () {
          yield* TestClock.adjust("1 days")
          const client = yield* ChainClient
          assert.strictEqual((yield* client.snapshot(31337)).block.number, 0n)
          assert.strictEqual((yield* client.health)[0]?.headAgeSeconds, 86_400)
        }),
      { chainId: 31337 }
    )
  )

  it.effect("may be followed by an older one", () =>
    onNodes([{}], node =>
      Effect.gen(function* () {
        const blocks = [node.mine(), node.mine()]
        assert.strictEqual((yield* snapshot()).block.number, 2n)
        node.on("eth_getBlockByNumber", {
          result: { ...blocks[0], number: "0x1", timestamp: "0x1", baseFeePerGas: "0x7" }
        })
        assert.strictEqual((yield* snapshot()).block.number, 1n)
      })
    )
  )
})

describe("failover", () => {
  it.effect("happens while a session or snapshot starts, and the rested endpoint returns", () =>
    onNodes([{}, {}], first =>
      Effect.gen(function* () {
        first.once("eth_getBlockByNumber", { wire: { kind: "reset" } })
        assert.strictEqual((yield* snapshot()).session.endpoint, "1/1")
        assert.strictEqual((yield* session).endpoint, "1/1")
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual((yield* session).endpoint, "1/0")
      })
    )
  )

  it.effect("never happens within a session", () =>
    onNodes([{}, {}], (first, second) =>
      Effect.gen(function* () {
        const opened = yield* session
        first.once("eth_gasPrice", { wire: { kind: "reset" } })
        assert.strictEqual(yield* tagOf(opened.all([gasPrice])), "RPC_UNAVAILABLE")
        assert.strictEqual(second.roundTrips(), 0)
      })
    )
  )

  it.effect("never happens to a send, whatever became of it", () =>
    onNodes([{}, {}], (first, second) =>
      Effect.gen(function* () {
        const opened = yield* session
        for (const kind of ["reset", "html", "truncated", "cutJson"] as const) {
          first.once("eth_sendRawTransaction", { wire: { kind } })
          yield* Effect.flip(opened.sendRaw("0x01"))
        }
        assert.strictEqual(first.methods().filter(method => method === "eth_sendRawTransaction").length, 4)
        assert.strictEqual(second.roundTrips(), 0)
      })
    )
  )

  it.effect("reports the last endpoint's failure when none serves", () =>
    onNodes([{ chainId: 5 }, {}], (_, second) =>
      Effect.gen(function* () {
        second.on("eth_chainId", { wire: { kind: "status", status: 500 } })
        assert.strictEqual(yield* tagOf(session), "RPC_UNAVAILABLE")
      })
    )
  )
})

describe("a snapshot", () => {
  it.effect("costs one round trip, also with the proofs that are due", () =>
    onNodes([{}], node =>
      Effect.gen(function* () {
        yield* snapshot()
        assert.strictEqual(node.roundTrips(), 1)
        node.mine()
        yield* snapshot(1n)
        assert.strictEqual(node.roundTrips(), 2)
      })
    )
  )

  it.effect("of a block that is not mined is unavailable", () =>
    onNodes([{}], () => Effect.map(tagOf(snapshot(9n)), tag => assert.strictEqual(tag, "BLOCK_UNAVAILABLE")))
  )

  it.effect("of a block that no node could number is unavailable, and no node is asked", () =>
    onNodes([{}], node =>
      Effect.gen(function* () {
        assert.strictEqual(yield* tagOf(snapshot(2n ** 63n)), "BLOCK_UNAVAILABLE")
        assert.strictEqual(node.roundTrips(), 0)
        assert.strictEqual(yield* tagOf(snapshot(2n ** 63n - 1n)), "BLOCK_UNAVAILABLE")
        assert.strictEqual(node.roundTrips(), 1)
      })
    )
  )

  it.effect("pins every call and code to its block hash", () =>
    onNodes([{}], node =>
      Effect.gen(function* () {
        const { block, calls, codes } = yield* snapshot()
        const to = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
        yield* calls([{ to, data: "0x" }])
        yield* codes([to])
        const pin = { blockHash: block.hash, requireCanonical: true }
        const [called, coded] = node.calls.slice(-2)
        assert.deepStrictEqual(called?.params, [{ to, data: "0x", gas: "0x1c9c380" }, pin])
        assert.deepStrictEqual(coded?.params, [to, pin])
      })
    )
  )
})
