import { once } from "node:events"
import { createServer } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, TestClock } from "effect"
import { ChainClient } from "../../src/chain/ChainClient.ts"
import { call, gasEstimate } from "../../src/chain/PinnedReads.ts"
import { gasPrice, transactionCount } from "../../src/chain/Reads.ts"
import { type FakeNode, type FakeNodeOptions, fakeNode } from "../support/FakeNode.ts"
import type { WireFault } from "../support/WireFaults.ts"
import { clientOver, tagOf } from "./ChainUnderTest.ts"

const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
const MEBIBYTE = 1024 * 1024

const onNode = <A, E>(
  body: (node: FakeNode) => Effect.Effect<A, E, ChainClient>,
  options: FakeNodeOptions = {}
) =>
  Effect.scoped(
    Effect.flatMap(fakeNode(options), node =>
      Effect.provide(body(node), clientOver({ chainId: 1, urls: [node.url] }))
    )
  )

const openSession = Effect.flatMap(ChainClient, client => client.session(1))

const LIMITS = [-32_005, 429, -32_007, -32_011, -32_012, -32_016, -32_017, -32_018]

describe("batches", () => {
  const reads = [gasPrice, transactionCount(ADDRESS, "latest"), transactionCount(ADDRESS, "pending")] as const

  it.effect("travel in one round trip and are matched by id in any order", () =>
    onNode(node =>
      Effect.gen(function* () {
        const session = yield* openSession
        node.on("eth_getTransactionCount", ([, tag]) => ({ result: tag === "latest" ? "0x4" : "0x9" }))
        const before = node.roundTrips()
        assert.deepStrictEqual(yield* session.all(reads), [1_000_000_000n, 4n, 9n])
        assert.strictEqual(node.roundTrips() - before, 1)
        assert.strictEqual(node.connections(), 1)
      })
    )
  )

  it.effect("are cut at a hundred calls", () =>
    onNode(node =>
      Effect.gen(function* () {
        const session = yield* openSession
        const before = node.roundTrips()
        const answers = yield* session.all(Array.from({ length: 250 }, () => gasPrice))
        assert.strictEqual(answers.length, 250)
        assert.strictEqual(node.roundTrips() - before, 3)
      })
    )
  )

  it.effect("of nothing ask nothing", () =>
    onNode(node =>
      Effect.gen(function* () {
        const session = yield* openSession
        const before = node.roundTrips()
        assert.deepStrictEqual(yield* session.all([]), [])
        assert.strictEqual(node.roundTrips(), before)
      })
    )
  )

  it.effect.each(["refusedByError", "refusedByStatus", 2] as const)(
    "%s are learned once and sent singly",
    batches =>
      onNode(
        node =>
          Effect.gen(function* () {
            const session = yield* openSession
            const before = node.roundTrips()
            assert.deepStrictEqual(yield* session.all(reads), [1_000_000_000n, 0n, 0n])
            assert.strictEqual(node.roundTrips() - before, 3)
            yield* TestClock.adjust("10 minutes")
            yield* session.all(reads)
            assert.strictEqual(node.roundTrips() - before, 7)
          }),
        { batches }
      )
  )

  it.effect.each(["wrongId", "missingAnswer", "doubledAnswer"] as const)("are refused whole: %s", kind =>
    onNode(node =>
      Effect.gen(function* () {
        const session = yield* openSession
        node.once("eth_gasPrice", { wire: { kind } })
        assert.strictEqual(yield* tagOf(session.all(reads)), "RPC_INVALID_RESPONSE")
        assert.deepStrictEqual(yield* session.all(reads), [1_000_000_000n, 0n, 0n])
      })
    )
  )

  it.effect("are asked for again after one to which no single question had an answer either", () =>
    onNode(node =>
      Effect.gen(function* () {
        const session = yield* openSession
        node.once("eth_gasPrice", { wire: { kind: "onlyAnswer", code: -32_600 } })
        for (const { method } of reads) node.on(method, { error: { code: -32_000 } })
        const before = node.roundTrips()
        for (const _ of [1, 2]) assert.strictEqual(yield* tagOf(session.all(reads)), "RPC_UNAVAILABLE")
        assert.strictEqual(node.roundTrips() - before, 1 + reads.length + 1)
      })
    )
  )

  it.effect.each(LIMITS)("are not repeated singly where the one answer says that it is a limit: %d", code =>
    onNode(node =>
      Effect.gen(function* () {
        const session = yield* openSession
        node.once("eth_gasPrice", { wire: { kind: "onlyAnswer", code } })
        const before = node.roundTrips()
        assert.strictEqual(yield* tagOf(session.all(reads)), "RPC_UNAVAILABLE")
        assert.strictEqual(node.roundTrips() - before, 1)
      })
    )
  )

  it.effect.each([401, 429, 500])("failing with %s are not repeated singly", status =>
    onNode(node =>
      Effect.gen(function* () {
        const session = yield* openSession
        node.once("eth_gasPrice", { wire: { kind: "status", status } })
        const before = node.roundTrips()
        assert.strictEqual(yield* tagOf(session.all(reads)), "RPC_UNAVAILABLE")
        assert.strictEqual(node.roundTrips() - before, 1)
      })
    )
  )
})

describe("a broken answer", () => {
  const faults: ReadonlyArray<readonly [string, WireFault]> = [
    ["RPC_UNAVAILABLE", { kind: "reset" }],
    ["RPC_UNAVAILABLE", { kind: "truncated" }],
    ["RPC_UNAVAILABLE", { kind: "status", status: 429 }],
    ["RPC_UNAVAILABLE", { kind: "status", status: 500 }],
    ["RPC_INVALID_RESPONSE", { kind: "html" }],
    ["RPC_INVALID_RESPONSE", { kind: "wrongId" }],
    ["RPC_INVALID_RESPONSE", { kind: "cutJson" }],
    ["RPC_INVALID_RESPONSE", { kind: "huge", bytes: 5 * MEBIBYTE }]
  ]

  it.effect.each(faults)("ends as %s: %o", ([code, wire]) =>
    onNode(node =>
      Effect.gen(function* () {
        const session = yield* openSession
        node.once("eth_gasPrice", { wire })
        assert.strictEqual(yield* tagOf(session.all([gasPrice])), code)
        assert.strictEqual(node.methods().filter(method => method === "eth_gasPrice").length, 1)
        assert.deepStrictEqual(yield* session.all([gasPrice]), [1_000_000_000n])
      })
    )
  )

  it.effect("is not one of just under five mebibytes", () =>
    onNode(node =>
      Effect.gen(function* () {
        const session = yield* openSession
        node.once("eth_gasPrice", { wire: { kind: "huge", bytes: 5 * MEBIBYTE - 100 } })
        assert.deepStrictEqual(yield* session.all([gasPrice]), [1_000_000_000n])
        node.once("eth_call", { result: `0x${"ab".repeat(2 * MEBIBYTE)}` })
        const [answer] = yield* session.all([call({ to: ADDRESS, data: "0x" }, node.head().hash)])
        assert.strictEqual(answer._tag === "Returned" && answer.data.length, 2 + 4 * MEBIBYTE)
      })
    )
  )

  it.effect.each([301, 302, 307, 308, 421])("of status %s is never followed or repeated", status =>
    onNode(node =>
      Effect.gen(function* () {
        const session = yield* openSession
        const before = node.roundTrips()
        const wire: WireFault = { kind: "redirect", status, location: node.url }
        node.once("eth_gasPrice", { wire })
        yield* Effect.flip(session.all([gasPrice]))
        assert.strictEqual(node.roundTrips() - before, 1)
      })
    )
  )
})

describe("deadlines", () => {
  const stalled: ReadonlyArray<WireFault> = [{ kind: "hang" }, { kind: "drip", everyMillis: 50 }]

  it.effect.each(stalled)("end a read after five seconds: %o", wire =>
    onNode(node =>
      Effect.gen(function* () {
        const session = yield* openSession
        node.once("eth_gasPrice", { wire })
        const fiber = yield* Effect.fork(tagOf(session.all([gasPrice])))
        yield* Effect.promise(() => node.received("eth_gasPrice"))
        yield* TestClock.adjust("4999 millis")
        assert.isNull(fiber.unsafePoll())
        yield* TestClock.adjust("1 millis")
        assert.strictEqual(yield* Fiber.join(fiber), "RPC_TIMEOUT")
      })
    )
  )

  it.effect("end an estimate and a send after ten seconds", () =>
    onNode(node =>
      Effect.gen(function* () {
        const session = yield* openSession
        for (const method of ["eth_estimateGas", "eth_sendRawTransaction"])
          node.on(method, { wire: { kind: "hang" } })
        const estimate = gasEstimate({ to: ADDRESS, data: "0x" }, node.head().hash)
        const estimated = yield* Effect.fork(tagOf(session.all([estimate, gasPrice])))
        const sent = yield* Effect.fork(tagOf(session.sendRaw("0x01")))
        yield* Effect.promise(() => node.received("eth_estimateGas"))
        yield* Effect.promise(() => node.received("eth_sendRawTransaction"))
        yield* TestClock.adjust("9999 millis")
        assert.isNull(estimated.unsafePoll())
        assert.isNull(sent.unsafePoll())
        yield* TestClock.adjust("1 millis")
        assert.strictEqual(yield* Fiber.join(estimated), "RPC_TIMEOUT")
        assert.strictEqual(yield* Fiber.join(sent), "RPC_TIMEOUT")
        assert.strictEqual(node.methods().filter(method => method === "eth_sendRawTransaction").length, 1)
      })
    )
  )

  it.effect("of reads that a node holds keep no send waiting", () =>
    onNode(node =>
      Effect.gen(function* () {
        const session = yield* openSession
        node.on("eth_gasPrice", { wire: { kind: "hang" } })
        const reads = yield* Effect.forEach(Array.from({ length: 65 }), () =>
          Effect.fork(tagOf(session.all([gasPrice])))
        )
        yield* Effect.promise(() => node.received("eth_gasPrice", 64))
        assert.strictEqual((yield* session.sendRaw("0x01"))._tag, "Accepted")
        yield* Fiber.interruptAll(reads)
      })
    )
  )

  it.effect("are each call's own, however long the others may take", () =>
    onNode(node =>
      Effect.gen(function* () {
        const session = yield* openSession
        yield* TestClock.adjust("5 seconds")
        for (const method of ["eth_estimateGas", "eth_gasPrice"]) node.on(method, { wire: { kind: "hang" } })
        const estimate = gasEstimate({ to: ADDRESS, data: "0x" }, node.head().hash)
        const long = yield* Effect.fork(tagOf(session.all([estimate])))
        yield* Effect.promise(() => node.received("eth_estimateGas"))
        yield* TestClock.adjust("3 seconds")
        const short = yield* Effect.fork(tagOf(session.all([gasPrice])))
        yield* Effect.promise(() => node.received("eth_gasPrice"))
        yield* TestClock.adjust("4999 millis")
        assert.isNull(short.unsafePoll())
        yield* TestClock.adjust("1 millis")
        assert.strictEqual(yield* Fiber.join(short), "RPC_TIMEOUT")
        yield* TestClock.adjust("1999 millis")
        assert.isNull(long.unsafePoll())
        yield* TestClock.adjust("1 millis")
        assert.strictEqual(yield* Fiber.join(long), "RPC_TIMEOUT")
      })
    )
  )
})

describe("an interruption", () => {
  it.scoped("closes the connection", () =>
    Effect.gen(function* () {
      const server = createServer()
      yield* Effect.acquireRelease(
        Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
        () => Effect.sync(() => server.close())
      )
      const address = server.address()
      const port = typeof address === "object" && address ? address.port : 0
      const room = yield* Layer.build(clientOver({ chainId: 1, urls: [`http://127.0.0.1:${port}`] }))
      const asked = once(server, "request")
      const fiber = yield* Effect.fork(Effect.provide(openSession, room))
      const [request] = yield* Effect.promise(() => asked)
      const closed = once(request.socket, "close")
      yield* Fiber.interruptFork(fiber)
      yield* Effect.promise(() => closed)
    })
  )

  it.effect("leaves the endpoint in its place", () =>
    onNode(node =>
      Effect.gen(function* () {
        const session = yield* openSession
        node.once("eth_gasPrice", { wire: { kind: "hang" } })
        const fiber = yield* Effect.fork(session.all([gasPrice]))
        yield* Effect.promise(() => node.received("eth_gasPrice"))
        yield* Fiber.interrupt(fiber)
        assert.deepStrictEqual(yield* session.all([gasPrice]), [1_000_000_000n])
        yield* openSession
        assert.strictEqual(node.methods().filter(method => method === "eth_chainId").length, 1)
      })
    )
  )
})
