/** Two owners bound one wallet to their accounts: what the one's dropped operation leaves to the other. */
import { afterAll, assert, it } from "vitest"
import { enroll } from "../support/Bots.ts"
import { assertProblem } from "../support/Problem.ts"
import { mine } from "../support/RelayBench.ts"
import { sqlOn } from "../support/Sql.ts"
import { carriedByAnybody } from "./support/Carried.ts"
import { bindWallet, partyOf, shownOperation, startOperatingBench, timesSent } from "./support/Operating.ts"
import { SEND, sendingOn } from "./support/Sending.ts"

const bench = await startOperatingBench()
const { service } = bench
const { prepared, send, sent } = sendingOn(bench)

afterAll(() => bench.stop())

/** The first owner's was sent and dropped; the second owner's has the same nonce. */
const droppedAndTheirs = async () => {
  const one = await prepared()
  bench.bundling.fault({ method: SEND, phase: "before", act: { kind: "reset" } })
  await sent(one)
  const { owners, wallet } = one
  const other = partyOf(owners[1] ?? assert.fail("no second owner"))
  await enroll(service, other)
  const binding = await bindWallet(service, other, owners, wallet.address)
  const theirs = await prepared({ owner: other, owners, wallet, binding })
  assert.strictEqual(theirs.operation.operation.nonce, one.operation.operation.nonce)
  return { one, other, theirs }
}

it("the nonce of an operation that is proved dead is its own account's, and the other is told what uses it up", async () => {
  const { one, other, theirs } = await droppedAndTheirs()
  const living = await assertProblem(await send(theirs), "USER_OPERATION_NONCE_RESERVED")
  assert.notProperty(living, "context")
  await sqlOn(
    service.databaseUrl,
    "UPDATE user_operations SET dead_block = 1, dead_hash = $2 WHERE id = $1",
    [one.operation.id, `0x${"11".repeat(32)}`]
  )
  const { context, detail } = await assertProblem(await send(theirs), "USER_OPERATION_NONCE_RESERVED")
  assert.deepStrictEqual(context, { reason: "account", nonceKey: "0" })
  assert.include(detail, "incrementNonce(0)")
  assert.strictEqual((await shownOperation(service, other, theirs.operation)).state, "prepared")
  assert.strictEqual(timesSent(bench, theirs.operation), 1)
  const again = await prepared(one)
  await sent(again)
})

it("an operation of the other account that was carried by that nonce is taken up, and ends the former one", async () => {
  const { one, other, theirs } = await droppedAndTheirs()
  await carriedByAnybody(bench, theirs)
  await mine(bench, 70)
  await sent(theirs)
  assert.strictEqual((await shownOperation(service, other, theirs.operation)).state, "confirmed")
  const { observation, nextAction } = await shownOperation(service, one.owner, one.operation)
  assert.deepStrictEqual([observation?.reason, nextAction.kind], ["OPERATION_NONCE_CONSUMED", "none"])
})
