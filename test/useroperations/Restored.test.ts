/** An operation that was prepared before the database was restored from a backup. */
import { afterAll, assert, it } from "vitest"
import { problemIn } from "../support/Problem.ts"
import { sqlOn } from "../support/Sql.ts"
import { shownOperation, startOperatingBench, timesSent } from "./support/Operating.ts"
import { sendingOn } from "./support/Sending.ts"

const bench = await startOperatingBench()
const { service } = bench
const { prepared, send } = sendingOn(bench)

afterAll(() => bench.stop())

it("asks for no signature that would be refused, and says from what to prepare anew", async () => {
  const one = await prepared()
  const before = await shownOperation(service, one.owner, one.operation)
  assert.strictEqual(before.nextAction.kind, "sign")
  await sqlOn(service.databaseUrl, "SELECT mark_restored(true)")
  await sqlOn(service.databaseUrl, "UPDATE restorations SET requests_after = 0")
  const { state, nextAction } = await shownOperation(service, one.owner, one.operation)
  assert.deepStrictEqual(
    { state, nextAction },
    {
      state: "prepared",
      nextAction: {
        kind: "prepare-again",
        reason: "its plan has ended: what is left needs a new plan"
      }
    }
  )
  assert.strictEqual((await problemIn(await send(one))).code, "USER_OPERATION_EXPIRED")
  assert.strictEqual(timesSent(bench, one.operation), 0)
})
