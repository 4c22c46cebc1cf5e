/** Executions are counted by what they left by; a session's operation is told from an owners' by its nonce. */
import { Effect, Metric } from "effect"
import { assert, it } from "vitest"
import { countExecutions } from "../../src/dispatch/TransportMetrics.ts"
import type { Binding } from "../../src/plans/Binding.ts"
import { EMPTY_FACTS } from "../../src/plans/Step.ts"

const HASH = `0x${"11".repeat(32)}` as const
const ADDRESS = `0x${"22".repeat(20)}` as const

const operationOf = (nonce: bigint): Binding => ({
  transport: "eip4337-user-operation",
  bindingId: "b",
  operation: {
    ...{
      operationHash: HASH,
      entryPoint: ADDRESS,
      entryPointCodeHash: HASH,
      sender: ADDRESS,
      walletCodeHash: HASH
    },
    ...{ nonce: String(nonce), validUntil: 1, sinceBlock: 1, searchedBlock: null, searchedHash: null },
    ...{
      hint: null,
      isDead: false,
      paymaster: null,
      maximumCost: "1",
      calls: 1,
      position: 0,
      observedBlock: null
    }
  }
})

const counted = Effect.map(Metric.snapshot, pairs =>
  Object.fromEntries(
    pairs.flatMap(({ metricKey: { name, tags }, metricState }) => {
      if (name !== "service_executions_total") return []
      const labels = tags.map(({ value }) => value).sort()
      return [[labels.join(" "), Object(metricState).count]]
    })
  )
)

it("a session's execution is not an owners'", async () => {
  const [owners, session] = [operationOf(7n), operationOf((5n << 64n) + 7n)]
  const before = [owners, session].map(binding => ({ ...EMPTY_FACTS, binding }))
  const after = before.map(facts => ({ ...facts, observed: "confirmed" as const }))
  const earlier = await Effect.runPromise(counted)
  await Effect.runPromise(countExecutions(before, after))
  await Effect.runPromise(countExecutions(after, after))
  const found = await Effect.runPromise(counted)
  for (const labels of ["confirmed user-operation", "confirmed session"])
    assert.strictEqual(found[labels] - (earlier[labels] ?? 0), 1, labels)
})
