import { createServer, type ServerResponse } from "node:http"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { ChainClient } from "../../src/chain/ChainClient.ts"
import { gasPrice, transactionCount } from "../../src/chain/Reads.ts"
import { type FakeNode, fakeNode } from "../support/FakeNode.ts"
import { clientOver } from "./ChainUnderTest.ts"

const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
const reads = [gasPrice, transactionCount(ADDRESS, "latest"), transactionCount(ADDRESS, "pending")] as const
const MEBIBYTE = 1_048_576
const DEEP = 200_000

const tagOf = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ _tag }) => _tag)

/** A server that answers each request as told, whatever was asked. */
const rawServer = (answer: (response: ServerResponse) => void) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((request, response) => {
        request.resume().once("end", () => answer(response))
      })
      await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve))
      const address = server.address()
      return { server, url: `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}` }
    }),
    ({ server }) =>
      Effect.promise(
        () =>
          new Promise<void>(resolve => {
            server.close(() => resolve())
            server.closeAllConnections()
          })
      )
  )

const openedAt = (url: string) =>
  Effect.flatMap(ChainClient, client => client.session(1)).pipe(
    Effect.provide(clientOver({ chainId: 1, urls: [url] }))
  )

describe("a hostile endpoint", () => {
  it.scoped("that answers with a compressed bomb is not unpacked", () =>
    Effect.gen(function* () {
      const bomb = gzipSync(Buffer.alloc(64 * MEBIBYTE, " "))
      const { url } = yield* rawServer(response =>
        response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(bomb)
      )
      const before = process.memoryUsage().arrayBuffers
      assert.strictEqual(yield* tagOf(openedAt(url)), "RPC_INVALID_RESPONSE")
      assert.isBelow(process.memoryUsage().arrayBuffers - before, 32 * MEBIBYTE)
    })
  )

  it.scoped("that sends more header lines than anyone needs is unavailable", () =>
    Effect.gen(function* () {
      const { url } = yield* rawServer(response =>
        response.writeHead(200, { "x-filler": "x".repeat(64 * 1024) }).end("{}")
      )
      assert.strictEqual(yield* tagOf(openedAt(url)), "RPC_UNAVAILABLE")
    })
  )

  it.scoped.each([
    "",
    "null",
    "[]",
    "[null]",
    "{}",
    '{"jsonrpc":"2.0"}',
    '[{"jsonrpc":"2.0","id":1,"result":',
    "\uFEFF{}",
    '{"jsonrpc":"2.0","id":{"a":1},"result":1}'
  ])("that answers %j to everything is no node", body =>
    Effect.gen(function* () {
      const { url } = yield* rawServer(response => response.writeHead(200).end(body))
      assert.strictEqual(yield* tagOf(openedAt(url)), "RPC_INVALID_RESPONSE")
    })
  )

  it.scoped("that nests its answer deeply is refused and stops nothing", () =>
    Effect.gen(function* () {
      const { url } = yield* rawServer(response =>
        response.writeHead(200).end(`${"[".repeat(DEEP)}${"]".repeat(DEEP)}`)
      )
      assert.strictEqual(yield* tagOf(openedAt(url)), "RPC_INVALID_RESPONSE")
    })
  )

  it.scoped("that turns to another chain later is found out within ten minutes and left", () =>
    Effect.gen(function* () {
      const [first, second] = yield* Effect.all([fakeNode(), fakeNode()])
      const client = yield* Effect.provide(
        ChainClient,
        clientOver({ chainId: 1, urls: [first.url, second.url] })
      )
      assert.strictEqual((yield* client.session(1)).endpoint, "1/0")
      first.on("eth_chainId", { result: "0x5" })
      yield* TestClock.adjust("10 minutes")
      for (const node of [first, second]) node.mine(600n)
      assert.strictEqual((yield* client.session(1)).endpoint, "1/1")
      assert.strictEqual((yield* client.session(1)).endpoint, "1/1")
    })
  )
})

describe("an endpoint that refuses for now", () => {
  const limited = (node: FakeNode, code: number) =>
    node.on("eth_gasPrice", { wire: { kind: "inPlace", code } })

  it.scoped.each([-32_005, 429])("a batch with code %s is not asked for each of its calls", code =>
    Effect.gen(function* () {
      const node = yield* fakeNode()
      const session = yield* openedAt(node.url)
      limited(node, code)
      const before = node.roundTrips()
      assert.strictEqual(yield* tagOf(session.all(reads)), "RPC_UNAVAILABLE")
      assert.strictEqual(node.roundTrips() - before, 1)
    })
  )
})
