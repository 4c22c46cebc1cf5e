/** Nothing is paid for requests of which one can be executed no more, since another one took its nonce. */
import { afterAll, assert, it } from "vitest"
import { executeCalldata } from "../../src/values/ForwardRequest.ts"
import { arm } from "../provider/support/Provider.ts"
import { callOf, payment, planned } from "../support/PlannedCalls.ts"
import { problemIn } from "../support/Problem.ts"
import { timesSent } from "../support/RelayBench.ts"
import { signCall } from "../support/SignedCalls.ts"
import { freshNonce, signedFetch } from "../support/SignedFetch.ts"
import { submit } from "../support/Submissions.ts"
import { ANYBODY, leave, send } from "./support/Executing.ts"
import { lookAnew, oncePublished, publishedAnew, startQuotedBench } from "./support/Quoted.ts"
import { signAll } from "./support/Signing.ts"
import { authorizationOf, sponsorshipFor } from "./support/Sponsored.ts"

const bench = await startQuotedBench()
const { provider, service } = bench

afterAll(() => bench.stop())

const quoted = async () => {
  await arm(provider, { lie: "executes-never", path: "publication" })
  const { owner, sponsorship } = await publishedAnew(bench)
  return { owner, sponsorship: await oncePublished(bench, owner, sponsorship, undefined) }
}

it("a payment stays where another request took the nonce of one, and leaves once that left its chain", async () => {
  const { owner, sponsorship } = await quoted()
  const path = `/api/v1/sponsorships/${sponsorship.id}/funding-plans`
  const body = { chainId: 31337, payer: owner.key.address }
  const answer = await signedFetch(service, owner, "POST", path, { body, idempotencyKey: freshNonce() })
  assert.strictEqual(answer.status, 201)
  const plan = await answer.json()
  const rival = await sponsorshipFor(
    service,
    owner,
    await planned(bench, owner, { calls: [payment(bench, ANYBODY)] })
  )
  const { forwarder, message } = authorizationOf(rival)
  assert.strictEqual(message.nonce, authorizationOf(sponsorship).message.nonce)
  const [signature = assert.fail("not signed")] = await signAll(owner.key, rival)
  const data = executeCalldata(message, signature)
  const execution = await send(bench, { to: forwarder, data, value: BigInt(message.value) })
  const [seen] = (await lookAnew(bench, owner, sponsorship)).observations
  assert.deepStrictEqual([seen?.state, seen?.reason], ["unknown", "EXECUTION_NOT_OURS"])
  const rawSignedTransaction = await signCall(bench, owner, callOf(plan))
  const refused = await submit(service, owner, plan, { rawSignedTransaction })
  const { code, detail, status } = await problemIn(refused)
  assert.deepStrictEqual([status, code], [409, "SPONSORSHIP_CONFLICT"])
  assert.match(detail ?? "", /can be executed no more/)
  assert.strictEqual(timesSent(bench, rawSignedTransaction), 0)
  await leave(bench, execution)
  await lookAnew(bench, owner, sponsorship)
  assert.strictEqual((await submit(service, owner, plan, { rawSignedTransaction })).status, 202)
})
