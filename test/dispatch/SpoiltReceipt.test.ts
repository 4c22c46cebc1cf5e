import { afterAll, assert, it } from "vitest"
import { bundled, bundleOf } from "../support/Bundles.ts"
import { stepOf } from "../support/PlannedCalls.ts"
import { mine, startRelayBench } from "../support/RelayBench.ts"
import { rawOf } from "../support/Relayed.ts"
import { hashOf } from "../support/SignedCalls.ts"
import { refreshed } from "../support/Submissions.ts"

const bench = await startRelayBench()

afterAll(() => bench.stop())

const RECEIPT = "eth_getTransactionReceipt"

it("a receipt that cannot be read leaves its own step unknown, and no other", async () => {
  const { owner, plan, items } = await bundleOf(bench, [[], [], [], []])
  await bundled(bench.service, owner, plan, items)
  await mine(bench)
  const spoilt = hashOf(rawOf(items, 1))
  bench.proxy.fault({
    method: RECEIPT,
    times: 100,
    phase: "after",
    act: {
      kind: "rewrite",
      rewrite: ({ method, params }) =>
        method === RECEIPT && params[0] === spoilt ? { spoilt: true } : undefined
    }
  })
  const seen = await refreshed(bench.service, owner, plan)
  bench.proxy.clearFaults()
  assert.deepStrictEqual(
    [0, 1, 2, 3].map(step => stepOf(seen, step).state),
    ["confirmed", "unknown", "confirmed", "confirmed"]
  )
  assert.strictEqual((await refreshed(bench.service, owner, plan)).status, "transactions_confirmed")
})
