import { afterAll, assert, it } from "vitest"
import { bundleOf } from "../support/Bundles.ts"
import { stepOf } from "../support/PlannedCalls.ts"
import { mine, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { holdAnswer } from "../support/Relayed.ts"
import { sqlOn } from "../support/Sql.ts"
import { refreshed, submit, submitted } from "../support/Submissions.ts"

const bench = await startRelayBench()

afterAll(() => bench.stop())

it("a plan that changed since its preflight is judged anew, and its step goes where its dependencies still hold", async () => {
  const { owner, plan, items } = await bundleOf(bench, [[], [0]])
  const [first, second] = items.map(({ rawSignedTransaction }) => ({ rawSignedTransaction }))
  if (first === undefined || second === undefined) return assert.fail("no such item")
  await submitted(bench.service, owner, plan, first)
  await mine(bench)
  assert.strictEqual(stepOf(await refreshed(bench.service, owner, plan), 1).state, "ready")
  const estimate = holdAnswer(bench, "eth_estimateGas")
  const answering = submit(bench.service, owner, plan, second, { step: 1 })
  await estimate.reached
  const [changed] = await sqlOn(
    bench.service.databaseUrl,
    "UPDATE plans SET revision = revision + 1 WHERE id = $1 RETURNING revision",
    [plan.id]
  )
  estimate.letGo()
  const answer = await answering
  assert.strictEqual(answer.status, 202)
  assert.strictEqual((await answer.json()).plan.revision, Number(changed?.revision) + 1)
  assert.strictEqual(timesSent(bench, second.rawSignedTransaction), 1)
})
