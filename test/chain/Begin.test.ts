import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ChainClient } from "../../src/chain/ChainClient.ts"
import { gasPrice, transactionCount } from "../../src/chain/Reads.ts"
import { fakeNode } from "../support/FakeNode.ts"
import { clientOver } from "./ChainUnderTest.ts"

const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
const reads = [gasPrice, transactionCount(ADDRESS, "latest")] as const

const onTwoNodes = Effect.gen(function* () {
  const [first, second] = yield* Effect.all([fakeNode(), fakeNode()])
  const client = yield* Effect.provide(ChainClient, clientOver({ chainId: 1, urls: [first.url, second.url] }))
  return { first, second, client }
})

describe("a session that begins with reads", () => {
  it.scoped("proves its endpoint and answers them in one round trip", () =>
    Effect.gen(function* () {
      const { first, client } = yield* onTwoNodes
      const { session, answers } = yield* client.begin(1, reads)
      assert.deepStrictEqual(answers, [1_000_000_000n, 0n])
      assert.strictEqual(session.endpoint, "1/0")
      assert.strictEqual(first.roundTrips(), 1)
      assert.include(first.methods(), "eth_chainId")
    })
  )

  it.scoped("asks the next endpoint for all of them where the first fails, and stays there", () =>
    Effect.gen(function* () {
      const { first, second, client } = yield* onTwoNodes
      first.once("eth_gasPrice", { wire: { kind: "reset" } })
      second.on("eth_getTransactionCount", { result: "0x7" })
      const { session, answers } = yield* client.begin(1, reads)
      assert.deepStrictEqual(answers, [1_000_000_000n, 7n])
      assert.strictEqual(session.endpoint, "1/1")
      const before = first.roundTrips()
      yield* session.all(reads)
      assert.strictEqual(first.roundTrips(), before)
    })
  )

  it.scoped("takes no answer of an endpoint that turns out to be on another chain", () =>
    Effect.gen(function* () {
      const { first, client } = yield* onTwoNodes
      first.on("eth_chainId", { result: "0x2" })
      first.on("eth_gasPrice", { result: "0x666" })
      const { answers } = yield* client.begin(1, reads)
      assert.deepStrictEqual(answers, [1_000_000_000n, 0n])
    })
  )

  it.scoped("is refused for a chain that is not configured without a call", () =>
    Effect.gen(function* () {
      const { first, client } = yield* onTwoNodes
      assert.strictEqual((yield* Effect.flip(client.begin(5, reads)))._tag, "UNSUPPORTED_CHAIN")
      assert.strictEqual(first.roundTrips(), 0)
    })
  )
})
