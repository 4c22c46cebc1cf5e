/** What other replicas stored of chains that this one does not serve. */
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { ChainClient } from "../../src/chain/ChainClient.ts"
import { UnsupportedChain } from "../../src/chain/refusals.ts"
import { factsSeenHere } from "../../src/dispatch/SeenHere.ts"
import type { StoredReceipt } from "../../src/plans/Plan.ts"
import { EMPTY_FACTS, type StepFacts } from "../../src/plans/Step.ts"

const HASH = `0x${"ab".repeat(32)}` as const

const receipt: StoredReceipt = {
  ...{ transactionHash: HASH, blockHash: HASH, blockNumber: "5", status: "success", confirmations: 3 },
  ...{ finality: "latest", canonical: true, observedAt: 1 },
  ...{ logs: [], logCount: 0, logsHash: HASH, logsStored: false }
}

const confirmed: StepFacts = {
  ...EMPTY_FACTS,
  binding: {
    transport: "signed-eoa-transaction",
    bindingId: "00000000-0000-4000-8000-000000000000",
    hash: HASH,
    transaction: {
      ...{ hash: HASH, sender: "0x0000000000000000000000000000000000000001", chainId: 1, nonce: "0" },
      ...{ type: "eip1559", gas: "1", maximumFeePerGas: "1", maximumCost: "1", costScope: "" }
    }
  },
  observed: "confirmed",
  receipt
}

const final: StepFacts = { ...confirmed, receipt: { ...receipt, finality: "finalized" } }

const SERVED = 1

const chains = Layer.mock(ChainClient, {
  snapshotOf: () => assert.fail("no chain is asked"),
  chain: id =>
    id === SERVED
      ? Effect.succeed({
          id,
          name: "",
          testnet: true,
          confirmations: 1,
          finality: { safe: true, finalized: true }
        })
      : Effect.fail(new UnsupportedChain())
})

it.effect("is unknown to whoever goes by it here, but for what is final, and what never left", () =>
  Effect.gen(function* () {
    const facts = [confirmed, confirmed, final, EMPTY_FACTS]
    const chainIds = [SERVED, 10, 10, 10]
    const seen = yield* factsSeenHere(facts, step => chainIds[step])
    assert.deepStrictEqual(
      seen.map(({ observed }) => observed),
      ["confirmed", "unknown", "confirmed", undefined]
    )
  }).pipe(Effect.provide(chains))
)
