/** What a node that answers without a finality tag's block says of the tag. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { ChainClient } from "../../src/chain/ChainClient.ts"
import { taggedBlock, UNTOLD } from "../../src/chain/Reads.ts"
import { lookAtHeads } from "../../src/dispatch/SearchHeads.ts"
import { type FakeNode, hex, type Reply } from "../support/FakeNode.ts"
import { onNodes, refusesTags, written } from "./ChainUnderTest.ts"

const session = Effect.flatMap(ChainClient, client => client.session(1))

/** Below 300 blocks, a node that answers so for its tags once it is told to. */
const buried = (node: FakeNode) => {
  const blocks = [node.head(), ...Array.from({ length: 300 }, () => node.mine())]
  return (ofTag: Reply): void =>
    node.on("eth_getBlockByNumber", ([tag]) => {
      if (tag === "safe" || tag === "finalized") return ofTag
      return { result: written(blocks.find(({ number }) => hex(number) === tag) ?? node.head()) }
    })
}

const final = Effect.map(lookAtHeads(1, []), heads => heads.final?.number)

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

  it.effect("has no depth stand in for the final block, nor has a node that has none now", () =>
    onNodes([{}], node =>
      Effect.gen(function* () {
        const answering = buried(node)
        assert.strictEqual(yield* final, 300n)
        answering({ error: { code: -32_000 } })
        assert.isUndefined(yield* final)
        answering({ result: null })
        assert.isUndefined(yield* final)
        yield* TestClock.adjust("11 minutes")
        node.mine(660n)
        assert.isUndefined(yield* final)
      })
    )
  )

  it.effect("has a depth stand in for the final block where no node ever told one", () =>
    onNodes([{}], node =>
      Effect.gen(function* () {
        buried(node)({ result: null })
        assert.strictEqual(yield* final, 45n)
      })
    )
  )
})
