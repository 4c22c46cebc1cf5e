/** What a session's key signed and somebody else had carried is seen by whoever asks for the same steps under the owners' nonces. */
import { afterAll, assert, it } from "vitest"
import { assertProblem } from "../support/Problem.ts"
import { mine } from "../support/RelayBench.ts"
import { carriedByAnybody } from "../useroperations/support/Carried.ts"
import {
  askOperation,
  envelopeOf,
  sendOperation,
  startOperatingBench,
  timesSent
} from "../useroperations/support/Operating.ts"
import { liveSession, sessionOperationOf, signedByKey } from "./support/Operated.ts"

const bench = await startOperatingBench()
const { service } = bench
afterAll(() => bench.stop())

it("another operation of its steps is neither prepared nor sent", async () => {
  const live = await liveSession(bench)
  const operation = await sessionOperationOf(bench, live)
  const anew = () =>
    askOperation(service, live.bot, { planId: operation.planId, stepIndexes: operation.stepIndexes })
  const before = await anew()
  assert.strictEqual(before.status, 201)
  const ofOwners = await before.json()
  const signature = await signedByKey(operation, live.bot)
  await carriedByAnybody(bench, { owner: live.bot, operation, signature })
  await mine(bench, 2)
  const refused = await assertProblem(await anew(), "USER_OPERATION_CONFLICT")
  assert.deepStrictEqual(refused.context, { operationId: operation.id })
  const late = await sendOperation(service, live.bot, ofOwners, await envelopeOf(ofOwners, live.owners))
  const conflict = await assertProblem(late, "USER_OPERATION_CONFLICT")
  assert.deepStrictEqual(conflict.context, { operationId: operation.id })
  assert.strictEqual(timesSent(bench, ofOwners), 0)
})
