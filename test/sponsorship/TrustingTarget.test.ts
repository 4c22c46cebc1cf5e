import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Hex, zeroHash } from "viem"
import { ChainClient } from "../../src/chain/ChainClient.ts"
import { trustingTargets } from "../../src/sponsorship/TrustingTarget.ts"
import { onNodes, tagOf } from "../chain/ChainUnderTest.ts"
import type { Handler, Reply } from "../support/FakeNode.ts"
import { answerPackedCalls, isPackedCalls } from "../support/PackedCalls.ts"

const TARGET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
const FORWARDER = "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65"

/** Of a contract of which the node answers so whether it trusts the forwarder. */
const askedOf = (reply: Reply | Handler) =>
  onNodes([{}], node =>
    Effect.gen(function* () {
      node.on("eth_getCode", { result: "0x6001" })
      node.on("eth_call", reply)
      const { session, block } = yield* (yield* ChainClient).snapshot(1)
      return yield* trustingTargets({ askAll: session.all, block }, [{ stepIndex: 0, to: TARGET }], FORWARDER)
    })
  )

/** By a node that refuses the call itself, and what it says inside a program. */
const refusedBut =
  (inside: Hex | undefined): Handler =>
  ([asked]) => {
    const data = String(Object(asked).data)
    return isPackedCalls(data)
      ? { result: answerPackedCalls(data, { call: () => inside, codeHash: () => zeroHash }) }
      : { error: { code: -32_000 } }
  }

describe("a called contract", () => {
  it.effect.each<Reply>([
    { error: { code: 3, data: "0x" } },
    { result: "0x" },
    { result: `0x${"0".repeat(64)}` }
  ])("is untrusting by its own answer: %o", reply =>
    Effect.map(tagOf(askedOf(reply)), code => assert.strictEqual(code, "FORWARDER_TARGET_UNTRUSTED"))
  )

  it.effect("is untrusting where the node refuses the call and the chain says that it reverts", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* tagOf(askedOf(refusedBut(undefined))), "FORWARDER_TARGET_UNTRUSTED")
      assert.strictEqual(yield* tagOf(askedOf(refusedBut("0x"))), "RPC_UNAVAILABLE")
    })
  )

  it.effect.each([-32_000, -32_603, -32_005, 429])("is not by an error of the node: %d", code =>
    Effect.map(tagOf(askedOf({ error: { code } })), tag => assert.strictEqual(tag, "RPC_UNAVAILABLE"))
  )
})
