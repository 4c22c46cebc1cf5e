import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ChainClient } from "../../src/chain/ChainClient.ts"
import { balance, code, gasEstimate, simulation } from "../../src/chain/PinnedReads.ts"
import {
  blockByHash,
  gasPrice,
  transactionByHash,
  transactionCount,
  transactionReceipt
} from "../../src/chain/Reads.ts"
import { anvil } from "../support/Anvil.ts"
import { clientOver } from "./ChainUnderTest.ts"

const clientOverAnvil = Layer.unwrapScoped(
  Effect.map(anvil(), ({ url }) => clientOver({ chainId: 31337, urls: [url] }))
)

const RICH = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
const OTHER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
const UNKNOWN = `0x${"77".repeat(32)}` as const

describe("a real local node", () => {
  it.layer(clientOverAnvil)(it => {
    it.effect("answers every read at one pinned block in one round trip", () =>
      Effect.gen(function* () {
        const client = yield* ChainClient
        const { session, block, calls, codes } = yield* client.snapshot(31337)
        const answers = yield* session.all([
          balance(RICH, block.hash),
          code(OTHER, block.hash),
          gasEstimate({ to: OTHER, data: "0x", from: RICH, value: 1n }, block.hash),
          simulation([{ to: OTHER, data: "0x", from: RICH, value: 1n }], block.hash),
          gasPrice,
          transactionCount(RICH, "pending"),
          transactionReceipt(UNKNOWN),
          transactionByHash(UNKNOWN),
          blockByHash(31337, block.hash)
        ])
        assert.strictEqual(answers[0], 10_000n * 10n ** 18n)
        assert.strictEqual(answers[1], "0x")
        assert.deepStrictEqual(answers[2], { _tag: "Estimated", gas: 21_000n })
        assert.strictEqual(answers[3]._tag, "Simulated")
        assert.isTrue(answers[4] > 0n)
        assert.strictEqual(answers[5], 0n)
        assert.isNull(answers[6])
        assert.isNull(answers[7])
        assert.deepStrictEqual(answers[8], block)
        assert.deepStrictEqual(yield* calls([{ to: OTHER, data: "0x" }]), [{ _tag: "Returned", data: "0x" }])
        assert.deepStrictEqual(yield* codes([OTHER]), ["0x"])
        const chain = yield* client.chain(31337)
        assert.deepStrictEqual(chain.finality, { safe: true, finalized: true })
        const [health] = yield* client.health
        assert.strictEqual(health?.state, "healthy")
      })
    )
  })
})
