import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ChainClient } from "../../src/chain/ChainClient.ts"
import { checkVerified } from "../../src/sponsorship/PublicationPreflight.ts"
import { onNodes, tagOf } from "../chain/ChainUnderTest.ts"
import type { Reply } from "../support/FakeNode.ts"

const TARGET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
const FORWARDER = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65"

const authorization = {
  forwarder: FORWARDER,
  stepIndex: 0,
  message: {
    from: TARGET,
    to: TARGET,
    value: "0",
    gas: "100000",
    nonce: "0",
    deadline: "2000000000",
    data: "0x"
  }
} as const

/** Of a request of which the node answers so whether its forwarder would take it. */
const askedOf = (reply: Reply) =>
  onNodes([{}], node =>
    Effect.gen(function* () {
      node.on("eth_call", reply)
      const { session, block } = yield* (yield* ChainClient).snapshot(1)
      const ask: Parameters<typeof checkVerified>[0]["ask"] = read =>
        Effect.map(session.all([read]), ([told]) => told)
      return yield* checkVerified({ ask, block }, authorization, `0x${"11".repeat(65)}`)
    })
  )

describe("a signed request", () => {
  it.effect.each<Reply>([
    { error: { code: 3, data: "0x" } },
    { result: "0x" },
    { result: `0x${"0".repeat(64)}` }
  ])("is refused by its forwarder's own answer: %o", reply =>
    Effect.map(tagOf(askedOf(reply)), code => assert.strictEqual(code, "FORWARD_REQUEST_CHANGED"))
  )

  it.effect.each([-32_000, -32_603, -32_005, 429])("is not by an error of the node: %d", code =>
    Effect.map(tagOf(askedOf({ error: { code } })), tag => assert.strictEqual(tag, "RPC_UNAVAILABLE"))
  )
})
