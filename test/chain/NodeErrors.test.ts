import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option, TestClock } from "effect"
import { ChainClient } from "../../src/chain/ChainClient.ts"
import { isOfQuestion } from "../../src/chain/NodeRefusal.ts"
import { code, tentative } from "../../src/chain/PinnedReads.ts"
import { eventLogs, finalizedCount, taggedBlock, UNTOLD } from "../../src/chain/Reads.ts"
import { lookAtHeads } from "../../src/dispatch/SearchHeads.ts"
import { type FakeBlock, type FakeNode, type Handler, hex, type Reply } from "../support/FakeNode.ts"
import { onNodes, tagOf } from "./ChainUnderTest.ts"

const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

const session = Effect.flatMap(ChainClient, client => client.session(1))

const written = ({ number, timestamp, ...block }: FakeBlock) => ({
  ...block,
  number: hex(number),
  timestamp: hex(timestamp)
})

/** Answers for every block but the latest with an error. */
const refusesTags = (node: FakeNode, errorCode: number) => {
  const block = written(node.head())
  const refusing: Handler = ([tag]) => (tag === "latest" ? { result: block } : { error: { code: errorCode } })
  node.on("eth_getBlockByNumber", refusing)
}

const ofTags = [taggedBlock(1, "safe"), taggedBlock(1, "finalized")] as const

describe("an error in place of a finality tag's block", () => {
  it.effect("says of a node that never served the tag that it has none", () =>
    onNodes([{}], node =>
      Effect.gen(function* () {
        refusesTags(node, -32_602)
        const opened = yield* session
        assert.deepStrictEqual(yield* opened.all(ofTags), [null, null])
      })
    )
  )

  it.effect.each([-32_602, -32_000, -32_603])("says nothing of a node that served it: %d", errorCode =>
    onNodes([{}], node =>
      Effect.gen(function* () {
        const opened = yield* session
        refusesTags(node, errorCode)
        assert.deepStrictEqual(yield* opened.all(ofTags), [UNTOLD, UNTOLD])
      })
    )
  )

  it.effect("says nothing of a node that served it since, however its own proof went", () =>
    onNodes([{}], node =>
      Effect.gen(function* () {
        refusesTags(node, -32_000)
        const opened = yield* session
        node.on("eth_getBlockByNumber", { result: written(node.head()) })
        yield* opened.all(ofTags)
        refusesTags(node, -32_000)
        assert.deepStrictEqual(yield* opened.all(ofTags), [UNTOLD, UNTOLD])
      })
    )
  )

  it.effect.each([-32_005, 429, -32_016])("that is a limit says nothing of any node: %d", errorCode =>
    onNodes([{}], node =>
      Effect.gen(function* () {
        refusesTags(node, -32_602)
        const opened = yield* session
        refusesTags(node, errorCode)
        assert.deepStrictEqual(yield* opened.all(ofTags), [UNTOLD, UNTOLD])
      })
    )
  )

  it.effect("has no depth stand in for the final block, as it does without the tag", () =>
    onNodes([{}], node =>
      Effect.gen(function* () {
        const blocks = [node.head(), ...Array.from({ length: 300 }, () => node.mine())]
        const answering = (ofTag: Reply): void =>
          node.on("eth_getBlockByNumber", ([tag]) => {
            if (tag === "safe" || tag === "finalized") return ofTag
            return { result: written(blocks.find(({ number }) => hex(number) === tag) ?? node.head()) }
          })
        const final = Effect.map(lookAtHeads(1, []), heads => heads.final?.number)
        assert.strictEqual(yield* final, 300n)
        answering({ error: { code: -32_000 } })
        assert.isUndefined(yield* final)
        answering({ result: null })
        assert.strictEqual(yield* final, 45n)
      })
    )
  )
})

describe("an error in place of a count at the final block", () => {
  it.effect("leaves it untold: a node that has the block may have its state no more", () =>
    onNodes([{}], node =>
      Effect.gen(function* () {
        const opened = yield* session
        node.on("eth_getTransactionCount", { error: { code: -32_000, message: "missing trie node" } })
        assert.deepStrictEqual(yield* opened.all([finalizedCount(ADDRESS)]), [null])
      })
    )
  )
})

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

  it.effect.each([-32_005, 429, -32_016])("that is a limit lets the node rest: %d", errorCode =>
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

  const late = Effect.fnUntraced(function* <A, E extends { readonly _tag: string }, R>(
    asking: Effect.Effect<A, E, R>,
    received: Promise<void>
  ) {
    const asked = yield* Effect.fork(tagOf(asking))
    yield* Effect.promise(() => received)
    yield* TestClock.adjust("5 seconds")
    return yield* Fiber.join(asked)
  })

  it.effect("that takes too long is no failure of a node that shows its head", () =>
    onNodes([{}], node =>
      Effect.gen(function* () {
        const client = yield* ChainClient
        const opened = yield* session
        node.on("eth_getCode", { wire: { kind: "hang" } })
        assert.strictEqual(
          yield* late(opened.all(question(node)), node.received("eth_getCode")),
          "RPC_TIMEOUT"
        )
        assert.strictEqual((yield* client.health)[0]?.state, "healthy")
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual(
          yield* late(client.begin(1, question(node)), node.received("eth_getCode", 2)),
          "RPC_TIMEOUT"
        )
        assert.strictEqual((yield* client.health)[0]?.state, "healthy")
        node.on("eth_getBlockByNumber", { wire: { kind: "reset" } })
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual((yield* client.health)[0]?.state, "unhealthy")
      })
    )
  )

  const huge: Reply = { wire: { kind: "huge", bytes: 5 * 1024 * 1024 } }

  it.effect("that is too large is no failure of a node that shows its head", () =>
    onNodes([{}, {}], (...nodes) =>
      Effect.gen(function* () {
        const client = yield* ChainClient
        for (const node of nodes) node.on("eth_getCode", huge)
        const [first] = nodes
        assert.strictEqual(yield* tagOf(client.begin(1, question(first))), "RPC_INVALID_RESPONSE")
        assert.strictEqual((yield* client.health)[0]?.state, "healthy")
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual(yield* tagOf(client.begin(1, question(first))), "RPC_INVALID_RESPONSE")
        const proofs = first.methods().filter(method => method === "eth_chainId")
        yield* session
        assert.strictEqual((yield* client.health)[0]?.state, "healthy")
        assert.strictEqual(first.methods().filter(method => method === "eth_chainId").length, proofs.length)
        first.on("eth_getBlockByNumber", huge)
        yield* TestClock.adjust("10 seconds")
        assert.strictEqual((yield* client.health)[0]?.state, "degraded")
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
        assert.deepStrictEqual((yield* opened.all([logs])).map(Option.isNone), [true])
        node.on("eth_getCode", { wire: { kind: "status", status } })
        assert.strictEqual(yield* tagOf(opened.all(question(node))), "RPC_UNAVAILABLE")
      })
    )
  )
})

describe("a block of which the node has no state any more", () => {
  const pruned = { error: { code: -32_000, message: "missing trie node" } }

  it.effect("is unavailable, and the node is asked first by others as before", () =>
    onNodes([{}, {}], (...nodes) =>
      Effect.gen(function* () {
        const client = yield* ChainClient
        yield* session
        for (const node of nodes) node.on("eth_getBalance", pruned)
        assert.strictEqual(yield* tagOf(client.snapshot(1, 0n)), "BLOCK_UNAVAILABLE")
        assert.strictEqual(yield* tagOf(client.snapshotWith(1, 0n, [])), "BLOCK_UNAVAILABLE")
        assert.strictEqual((yield* session).endpoint, "1/0")
        assert.strictEqual((yield* client.health)[0]?.state, "healthy")
      })
    )
  )

  it.effect("is asked of another node, which may have it", () =>
    onNodes([{}, {}], (first, second) =>
      Effect.gen(function* () {
        const client = yield* ChainClient
        yield* session
        first.on("eth_getBalance", pruned)
        assert.strictEqual((yield* client.snapshot(1, 0n)).session.endpoint, "1/1")
        assert.strictEqual((yield* session).endpoint, "1/0")
        second.on("eth_getBalance", { error: { code: -32_005 } })
        assert.strictEqual(yield* tagOf(client.snapshot(1, 0n)), "RPC_UNAVAILABLE")
      })
    )
  )

  it.effect("shows nothing of the node either where it refuses what is read at it only then", () =>
    onNodes([{}, {}], node =>
      Effect.gen(function* () {
        const client = yield* ChainClient
        const { codes } = yield* client.snapshot(1, 0n)
        node.on("eth_getCode", pruned)
        assert.isTrue(isOfQuestion(yield* Effect.flip(codes([ADDRESS]))))
        assert.strictEqual((yield* session).endpoint, "1/0")
      })
    )
  )
})

describe("a block that the node no longer has", () => {
  it.effect.each([4_444, -32_001])("is unavailable, and not the node: %d", errorCode =>
    onNodes([{}], node =>
      Effect.gen(function* () {
        const client = yield* ChainClient
        yield* session
        refusesTags(node, errorCode)
        assert.strictEqual(yield* tagOf(client.snapshot(1, 0n)), "BLOCK_UNAVAILABLE")
        assert.strictEqual(yield* tagOf(client.snapshotWith(1, 0n, [])), "BLOCK_UNAVAILABLE")
        assert.strictEqual((yield* client.health)[0]?.state, "healthy")
      })
    )
  )

  it.effect("is what another node has, or may have while it cannot be asked", () =>
    onNodes([{}, {}], (first, second) =>
      Effect.gen(function* () {
        const client = yield* ChainClient
        yield* session
        refusesTags(first, 4_444)
        assert.strictEqual((yield* client.snapshot(1, 0n)).session.endpoint, "1/1")
        second.on("eth_chainId", { wire: { kind: "reset" } })
        second.on("eth_getBlockByNumber", { wire: { kind: "reset" } })
        assert.strictEqual(yield* tagOf(client.snapshot(1, 0n)), "RPC_UNAVAILABLE")
        first.on("eth_getBlockByNumber", { wire: { kind: "reset" } })
        refusesTags(second, 4_444)
        second.on("eth_chainId", { result: "0x1" })
        assert.strictEqual(yield* tagOf(client.snapshot(1, 0n)), "RPC_UNAVAILABLE")
      })
    )
  )
})
