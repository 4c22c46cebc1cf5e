/** A plan that is looked at until its account may ask its chain no more. */
import { afterAll, assert, it } from "vitest"
import { standingClock } from "../http/support/StandingClock.ts"
import { relayedAndMined } from "../support/Mined.ts"
import { stepOf } from "../support/PlannedCalls.ts"
import { problemIn } from "../support/Problem.ts"
import { mine, startRelayBench } from "../support/RelayBench.ts"
import { signedFetch } from "../support/SignedFetch.ts"
import { shown } from "../support/Submissions.ts"

const LOOKS = 400

const quotas = { owner: 1e6, bots: 1e6, address: 1e6, rpc: 400 }
const bench = await startRelayBench({ settings: { quotas }, clock: standingClock() })

afterAll(() => bench.stop())

it("says that the share is used, and what was seen of the plan stays", async () => {
  const { owner, plan, refresh } = await relayedAndMined(bench)
  await mine(bench, 1)
  assert.strictEqual((await refresh()).status, "transactions_confirmed")
  const look = () => signedFetch(bench.service, owner, "GET", `/api/v1/plans/${plan.id}?refresh=true`)
  let last = await look()
  for (let looks = 0; looks < LOOKS && last.status === 200; looks++) {
    assert.strictEqual(stepOf(await last.json()).state, "confirmed")
    last = await look()
  }
  assert.strictEqual((await problemIn(last)).code, "RPC_BUDGET")
  const after = await shown(bench.service, owner, plan)
  assert.strictEqual(after.status, "transactions_confirmed")
  assert.strictEqual(stepOf(after).state, "confirmed")
})
