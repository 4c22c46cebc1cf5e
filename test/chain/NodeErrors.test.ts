import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, TestClock } from "effect"
import { ChainClient } from "../../src/chain/ChainClient.ts"
import { code, tentative } from "../../src/chain/PinnedReads.ts"
import { eventLogs } from "../../src/chain/Reads.ts"
import type { FakeNode } from "../support/FakeNode.ts"
import { onNodes, tagOf } from "./ChainUnderTest.ts"

const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

const session = Effect.flatMap(ChainClient, client => client.session(1))

describe("an error in answer to a question", () => {
  const question = (node: FakeNode) => [code(ADDRESS, node.head().hash)] as const

  it.effect("that the node cannot answer has another one asked first, and is no failure of the node", () =>
    onNodes([{}, {}], node =>
      Effect.gen(function* () {
        const client = yield* ChainClient
        const opened = yield* session
        node.on("eth_getCode", { error: { code: -32_000, message: "missing trie node" } })
        assert.strictEqual(yield* tagOf(opened.all(question(node))), "RPC_UNAVAILABLE")
        assert.strictEqual((yield* session).endpoint, "1/1")
        assert.strictEqual((yield* client.health)[0]?.state, "healthy")
        yield* TestClock.adjust("10 seconds")
        const begun = yield* client.begin(1, question(node))
        assert.strictEqual(begun.session.endpoint, "1/1")
        assert.strictEqual((yield* client.health)[0]?.state, "healthy")
      })
    )
  )

  it.effect.each([-32_005, 429])("that is a limit lets the node rest: %d", errorCode =>
    onNodes([{}, {}], node =>
      Effect.gen(function* () {
        const client = yield* ChainClient
        const opened = yield* session
        node.on("eth_getCode", { error: { code: errorCode } })
        assert.strictEqual(yield* tagOf(opened.all(question(node))), "RPC_UNAVAILABLE")
        assert.strictEqual((yield* session).endpoint, "1/1")
        assert.strictEqual((yield* client.health)[0]?.state, "degraded")
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual((yield* session).endpoint, "1/0")
      })
    )
  )

  it.effect("of the node's own proof lets it rest", () =>
    onNodes([{}, {}], node =>
      Effect.gen(function* () {
        node.once("eth_chainId", { error: { code: -32_000 } })
        assert.strictEqual((yield* session).endpoint, "1/1")
        assert.strictEqual((yield* session).endpoint, "1/1")
      })
    )
  )

  it.effect.each([400, 413])("counts under the status %d too, where it is one", status =>
    onNodes([{}, {}], node =>
      Effect.gen(function* () {
        const opened = yield* session
        const logs = tentative(eventLogs({ address: ADDRESS, topics: [], from: 0n, to: 1n }))
        node.on("eth_getLogs", { wire: { kind: "status", status } })
        assert.deepStrictEqual(yield* opened.all([logs]), [Option.none()])
        node.on("eth_getCode", { wire: { kind: "status", status } })
        assert.strictEqual(yield* tagOf(opened.all(question(node))), "RPC_UNAVAILABLE")
      })
    )
  )
})
