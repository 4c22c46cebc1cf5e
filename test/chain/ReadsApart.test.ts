import { assert, describe, it } from "@effect/vitest"
import { Effect, Either } from "effect"
import { ChainClient } from "../../src/chain/ChainClient.ts"
import { apart, callForAnyone } from "../../src/chain/PinnedReads.ts"
import { gasPrice } from "../../src/chain/Reads.ts"
import type { FakeNode, Reply } from "../support/FakeNode.ts"
import { onNodes, tagOf } from "./ChainUnderTest.ts"

const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

const session = Effect.flatMap(ChainClient, client => client.session(1))

describe("a read that is asked apart", () => {
  const beside = (node: FakeNode) =>
    [
      callForAnyone({ to: ADDRESS, data: "0x01" }, node.head().hash),
      apart(gasPrice),
      apart(callForAnyone({ to: ADDRESS, data: "0x02" }, node.head().hash))
    ] as const

  const failures: ReadonlyArray<readonly [Reply, string]> = [
    [{ error: { code: -32_601 } }, "RPC_UNAVAILABLE"],
    [{ result: "0x05" }, "RPC_INVALID_RESPONSE"]
  ]

  it.effect.each(failures)("fails by itself, and the reads beside it are answered: %o", ([reply, tag]) =>
    onNodes([{}, {}], node =>
      Effect.gen(function* () {
        const opened = yield* session
        node.on("eth_gasPrice", reply)
        const [first, price, last] = yield* opened.all(beside(node))
        assert.deepStrictEqual(first, { _tag: "Returned", data: "0x" })
        assert.deepStrictEqual(last, Either.right(first))
        assert.strictEqual(yield* tagOf(price), tag)
        assert.strictEqual((yield* session).endpoint, "1/0")
      })
    )
  )

  it.effect.each([-32_005, 429])("fails them all where the node is over its limit: %d", errorCode =>
    onNodes([{}, {}], node =>
      Effect.gen(function* () {
        const opened = yield* session
        node.on("eth_gasPrice", { error: { code: errorCode } })
        assert.strictEqual(yield* tagOf(opened.all(beside(node))), "RPC_UNAVAILABLE")
        assert.strictEqual((yield* session).endpoint, "1/1")
      })
    )
  )
})
