/** Steps of plans that a service had before its database was restored from a backup. */
import { afterAll, assert, it } from "vitest"
import { callOf, planned } from "../support/PlannedCalls.ts"
import { problemIn } from "../support/Problem.ts"
import { mine, newPayer, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { hashOf, signCall } from "../support/SignedCalls.ts"
import { signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { refreshed, submit, submitted } from "../support/Submissions.ts"

const bench = await startRelayBench()

afterAll(() => bench.stop())

/** Without the half minute in which nothing is accepted. */
const restored = async () => {
  await sqlOn(bench.service.databaseUrl, "SELECT mark_restored(true)")
  await sqlOn(bench.service.databaseUrl, "UPDATE restorations SET requests_after = 0")
}

it("leave no more, and are taken up where their chain has them", async () => {
  const owner = await newPayer(bench)
  const [lost, known] = [await planned(bench, owner), await planned(bench, owner)]
  const raw = await signCall(bench, owner, callOf(known))
  await restored()

  const refused = await submit(bench.service, owner, lost, {
    rawSignedTransaction: await signCall(bench, owner, callOf(lost))
  })
  const simulation = `/api/v1/plans/${lost.id}/steps/0/simulation`
  for (const answer of [refused, await signedFetch(bench.service, owner, "GET", simulation)]) {
    const problem = await problemIn(answer)
    assert.strictEqual(problem.code, "PLAN_EXPIRED")
    assert.include(problem.detail, "restored from a backup")
    assert.notInclude(problem.detail, "Prepare a new plan")
  }

  await rpc(bench.chain.url, "eth_sendRawTransaction", [raw])
  await mine(bench)
  const { plan } = await submitted(bench.service, owner, known, { rawSignedTransaction: raw })
  assert.strictEqual(plan.steps[0]?.transaction?.hash, hashOf(raw))
  assert.strictEqual(timesSent(bench, raw), 0)
  assert.strictEqual((await refreshed(bench.service, owner, known)).status, "transactions_confirmed")
})

it("are told of it too where their plan's time was over before it", async () => {
  const owner = await newPayer(bench)
  const plan = await planned(bench, owner)
  const past = "UPDATE plans SET expires_at = unix_millis() - 1 WHERE id = $1"
  await sqlOn(bench.service.databaseUrl, past, [plan.id])
  await restored()
  const raw = await signCall(bench, owner, callOf(plan))
  const problem = await problemIn(await submit(bench.service, owner, plan, { rawSignedTransaction: raw }))
  assert.strictEqual(problem.code, "PLAN_EXPIRED")
  assert.include(problem.detail, "restored from a backup")
})

it("are told of it too where another plan's step holds their nonce since", async () => {
  const owner = await newPayer(bench)
  const before = await planned(bench, owner)
  const lost = await signCall(bench, owner, callOf(before))
  await restored()
  const after = await planned(bench, owner)
  const raw = await signCall(bench, owner, callOf(after), { gas: 999_000n })
  await submitted(bench.service, owner, after, { rawSignedTransaction: raw })
  const { code, detail, context } = await problemIn(
    await submit(bench.service, owner, before, { rawSignedTransaction: lost })
  )
  assert.strictEqual(code, "PLAN_EXPIRED")
  assert.match(detail, /restored from a backup.+ belongs for good to step 0/)
  assert.strictEqual(context?.planId, after.id)
  assert.isNumber(context?.restoredAt)
})

it("leave as ever where they are of a plan from after it", async () => {
  const owner = await newPayer(bench)
  await restored()
  const plan = await planned(bench, owner)
  const raw = await signCall(bench, owner, callOf(plan))
  await submitted(bench.service, owner, plan, { rawSignedTransaction: raw })
  assert.strictEqual(timesSent(bench, raw), 1)
})
