import { afterAll, assert, describe, it } from "vitest"
import { bundleOf } from "../support/Bundles.ts"
import { bundleAsOwner, inProcess } from "../support/InProcess.ts"
import { startRelayBench, timesSent } from "../support/RelayBench.ts"
import { freshNonce } from "../support/SignedFetch.ts"

const bench = await startRelayBench()
const worker = inProcess(bench)

afterAll(async () => {
  await worker.dispose()
  await bench.stop()
})

describe("a dispatch that the owner's own request does not ask for", () => {
  it("is not taken from anything but the bytes that the owner signed", async () => {
    const { owner, plan, items } = await bundleOf(bench, [[], []])
    const [first, second] = items
    const elsewhere = "/api/v1/plans/01234567-89ab-4def-8123-456789abcdef/submissions"
    const swapped = [
      { ...first, rawSignedTransaction: second?.rawSignedTransaction },
      { ...second, rawSignedTransaction: first?.rawSignedTransaction }
    ]
    const bent = [
      { method: "GET" },
      { method: "PATCH" },
      { target: elsewhere },
      { target: `/api/v1/plans/${plan.id}/steps/0/submissions` },
      { body: { submissions: items.slice(1) } },
      { body: { submissions: swapped } },
      { body: { submissions: items, isOwner: true } }
    ]
    for (const signed of bent) {
      const run = bundleAsOwner(owner, plan, items, freshNonce(), signed)
      const { answer } = await worker.runPromise(run)
      assert.strictEqual(answer.error?.code, "OWNER_APPROVAL_MISMATCH", JSON.stringify(signed))
      assert.strictEqual(answer.stoppedAt, 0)
    }
    assert.strictEqual(timesSent(bench, first?.rawSignedTransaction ?? ""), 0)
    const { answer } = await worker.runPromise(bundleAsOwner(owner, plan, items, freshNonce()))
    assert.isTrue(answer.complete)
  })
})
