/** A session that its owners revoke by a bare transaction of their wallet, while no process of the service runs. */
import { afterAll, assert, it } from "vitest"
import { migratedDatabase } from "../support/MigratedDatabase.ts"
import { assertProblem } from "../support/Problem.ts"
import { startOperatingBench } from "../useroperations/support/Operating.ts"
import { entryPointSays } from "./support/Guarded.ts"
import {
  askSessionOperation,
  liveSession,
  paymentPlan,
  revokedByOwners,
  shownSession,
  used
} from "./support/Operated.ts"
import { ownOperation } from "./support/OwnOperation.ts"

const database = await migratedDatabase()
const bench = await startOperatingBench({ databaseUrl: database.url })
afterAll(async () => {
  await bench.stop()
  await database.drop()
})

it("is revoked on its chain at once, and for the service that is started again", {
  timeout: 120_000
}, async () => {
  const live = await liveSession(bench)
  await used(bench, live)
  const plan = await paymentPlan(bench, live)
  const signed = await ownOperation(bench, live)
  assert.strictEqual(await entryPointSays(bench.sandbox, signed), "accepted")

  await bench.service.stop()
  const gone = await fetch(bench.service.url).catch((failure: unknown) => failure)
  assert.instanceOf(gone, Error)
  await revokedByOwners(bench, live)
  assert.strictEqual(await entryPointSays(bench.sandbox, signed), "AA23 rule 22")

  const service = await bench.replica()
  try {
    const { state } = await shownSession({ service }, live.bot, live.session)
    assert.strictEqual(state, "revoked")
    const { context } = await assertProblem(
      await askSessionOperation({ service }, live, plan),
      "SESSION_NOT_ACTIVE"
    )
    assert.deepInclude(context, { state: "revoked" })
  } finally {
    await service.stop()
  }
})
