/** Steps that left by a transport which this build cannot follow. */
import { afterAll, assert, it } from "vitest"
import { bindToOperations } from "../support/BoundOperation.ts"
import { stepOf } from "../support/PlannedCalls.ts"
import { mine, startRelayBench } from "../support/RelayBench.ts"
import { signedPayment } from "../support/Relayed.ts"
import { refreshed, submitted } from "../support/Submissions.ts"

const bench = await startRelayBench()

afterAll(() => bench.stop())

it("stay as they were found, whatever their chain shows", async () => {
  const { owner, plan, body } = await signedPayment(bench)
  await submitted(bench.service, owner, plan, body)
  await mine(bench)
  const before = stepOf(await refreshed(bench.service, owner, plan))
  assert.strictEqual(before.state, "confirmed")
  await bindToOperations(bench.service.databaseUrl, plan.id)
  await mine(bench)
  const { transaction: _, ...others } = before
  const {
    hash = assert.fail("no hash"),
    bindingId,
    chainId
  } = before.execution ?? assert.fail("no execution")
  const about = { transport: "eip4337-user-operation", bindingId, chainId } as const
  assert.deepStrictEqual(stepOf(await refreshed(bench.service, owner, plan)), {
    ...others,
    execution: { ...about, hash },
    externalExecution: { ...about, transactionHash: hash, state: "confirmed" }
  })
})
