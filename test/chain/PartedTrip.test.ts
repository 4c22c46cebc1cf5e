import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { ChainClient } from "../../src/chain/ChainClient.ts"
import { batched } from "../../src/chain/GatheredSession.ts"
import { balance, call } from "../../src/chain/PinnedReads.ts"
import { onNodes } from "./ChainUnderTest.ts"

const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"

it.effect("a contract's answer that is too large hides no other answer of its round trip", () =>
  onNodes([{}], node =>
    Effect.gen(function* () {
      const { hash } = node.head()
      node.on("eth_call", { wire: { kind: "huge", bytes: 5 * 1024 * 1024 } })
      const together = batched(yield* Effect.flatMap(ChainClient, client => client.session(1)))
      const [told, balances] = yield* Effect.all(
        [
          Effect.flip(together.all([call({ to: ADDRESS, data: "0x" }, hash)])),
          together.all([balance(ADDRESS, hash)])
        ],
        { concurrency: "unbounded" }
      )
      assert.deepInclude(told, { _tag: "RPC_INVALID_RESPONSE", retryable: false })
      assert.deepStrictEqual(balances, [10n ** 18n])
    })
  )
)
