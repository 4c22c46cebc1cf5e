/** Nothing is paid for requests of which one can be executed no more, since another one took its nonce, nor for what is proved no more. */
import { keccak256 } from "viem"
import { afterAll, afterEach, assert, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import type { Sponsorship } from "../../src/sponsorship/Sponsorship.ts"
import { executeCalldata } from "../../src/values/ForwardRequest.ts"
import { arm, disarm } from "../provider/support/Provider.ts"
import { callOf, payment, planned } from "../support/PlannedCalls.ts"
import { problemIn } from "../support/Problem.ts"
import { mine, timesSent } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { signCall } from "../support/SignedCalls.ts"
import { freshNonce, type Party, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { refreshed, submit } from "../support/Submissions.ts"
import { ANYBODY, leave, send } from "./support/Executing.ts"
import { look, lookAnew, oncePublished, publishedAnew, startQuotedBench } from "./support/Quoted.ts"
import { signAll } from "./support/Signing.ts"
import { authorizationOf, sponsorshipFor } from "./support/Sponsored.ts"

const bench = await startQuotedBench()
const { provider, service } = bench

afterAll(() => bench.stop())
afterEach(() => disarm(provider))

const askFunding = (owner: Party, { id }: Sponsorship) =>
  signedFetch(service, owner, "POST", `/api/v1/sponsorships/${id}/funding-plans`, {
    body: { chainId: 31337, payer: owner.key.address },
    idempotencyKey: freshNonce()
  })

const funded = async () => {
  await arm(provider, { lie: "executes-never", path: "publication" })
  const { owner, sponsorship: left } = await publishedAnew(bench)
  const sponsorship = await oncePublished(bench, owner, left, undefined)
  const answer = await askFunding(owner, sponsorship)
  assert.strictEqual(answer.status, 201)
  const plan: Plan = await answer.json()
  return { owner, sponsorship, plan, rawSignedTransaction: await signCall(bench, owner, callOf(plan)) }
}

/** Signed at once, and executed by the returned function. */
const rivalOf = async (owner: Party, sponsorship: Sponsorship) => {
  const calls = [payment(bench, ANYBODY)]
  const rival = await sponsorshipFor(service, owner, await planned(bench, owner, { calls }))
  const { forwarder, message } = authorizationOf(rival)
  assert.strictEqual(message.nonce, authorizationOf(sponsorship).message.nonce)
  const [signature = assert.fail("not signed")] = await signAll(owner.key, rival)
  const data = executeCalldata(message, signature)
  return () => send(bench, { to: forwarder, data, value: BigInt(message.value) })
}

const isSeenTaken = async (owner: Party, sponsorship: Sponsorship) => {
  const [seen] = (await lookAnew(bench, owner, sponsorship)).observations
  assert.deepStrictEqual([seen?.state, seen?.reason], ["unknown", "EXECUTION_NOT_OURS"])
}

const refusedAs = async (answer: Response, said: RegExp) => {
  const { code, detail, status } = await problemIn(answer)
  assert.deepStrictEqual([status, code], [409, "SPONSORSHIP_CONFLICT"])
  assert.match(detail ?? "", said)
}

it("a payment stays where another request took the nonce of one, and leaves once that left its chain", async () => {
  const { owner, sponsorship, plan, rawSignedTransaction } = await funded()
  const executeRival = await rivalOf(owner, sponsorship)
  const execution = await executeRival()
  await isSeenTaken(owner, sponsorship)
  await refusedAs(await submit(service, owner, plan, { rawSignedTransaction }), /can be executed no more/)
  assert.strictEqual(timesSent(bench, rawSignedTransaction), 0)
  await leave(bench, execution)
  await lookAnew(bench, owner, sponsorship)
  assert.strictEqual((await submit(service, owner, plan, { rawSignedTransaction })).status, 202)
})

it("a payment that its node dropped goes no more once another request took the nonce of one", async () => {
  const { owner, sponsorship, plan, rawSignedTransaction } = await funded()
  const executeRival = await rivalOf(owner, sponsorship)
  await rpc(bench.chain.url, "evm_setAutomine", [false])
  try {
    assert.strictEqual((await submit(service, owner, plan, { rawSignedTransaction })).status, 202)
    await rpc(bench.chain.url, "anvil_dropTransaction", [keccak256(rawSignedTransaction)])
  } finally {
    await rpc(bench.chain.url, "evm_setAutomine", [true])
  }
  const over = "UPDATE dispatch_leases SET expires_at = unix_millis() WHERE plan = $1"
  await sqlOn(service.databaseUrl, over, [plan.id])
  assert.strictEqual((await refreshed(service, owner, plan)).steps[0]?.state, "unknown")
  assert.propertyVal((await look(bench, owner, sponsorship)).nextAction, "retryAfterMs", 10_000)
  await executeRival()
  await isSeenTaken(owner, sponsorship)
  assert.strictEqual((await refreshed(service, owner, plan)).steps[0]?.state, "unknown")
  await refusedAs(
    await submit(service, owner, plan, { rawSignedTransaction }),
    /holds the wallet's nonce 0 .+ can be executed no more.+ spends the nonce/
  )
  assert.strictEqual(timesSent(bench, rawSignedTransaction), 1)

  const next = await planned(bench, owner)
  const body = { rawSignedTransaction: await signCall(bench, owner, callOf(next)) }
  const { code, context, detail } = await problemIn(await submit(service, owner, next, body))
  assert.strictEqual(code, "NONCE_RESERVED")
  assert.deepStrictEqual(context, {
    planId: plan.id,
    stepIndex: 0,
    transactionHash: keccak256(rawSignedTransaction)
  })
  assert.match(detail, /not sent again: .+ spends the nonce/)
})

it("a payment stays where what is asked for was contradicted since, and leaves once it is proved again", async () => {
  const { owner, sponsorship, plan, rawSignedTransaction } = await funded()
  await arm(provider, { lie: "request-byte", path: "bundle", times: 100 })
  assert.strictEqual((await lookAnew(bench, owner, sponsorship)).state, "quote_unverified")
  await refusedAs(await submit(service, owner, plan, { rawSignedTransaction }), /is proved no more/)
  assert.strictEqual(timesSent(bench, rawSignedTransaction), 0)
  await disarm(provider)
  assert.strictEqual((await lookAnew(bench, owner, sponsorship)).state, "funding_quote_available")
  assert.strictEqual((await submit(service, owner, plan, { rawSignedTransaction })).status, 202)
})

it("a payment that the service was not told of is asked for no second time, nor while its chain tells of no logs", async () => {
  const { owner, sponsorship, rawSignedTransaction } = await funded()
  const act = { kind: "error", code: -32601, message: "the method does not exist" } as const
  bench.proxy.fault({ method: "eth_getLogs", phase: "after", act, times: 100 })
  assert.strictEqual((await problemIn(await askFunding(owner, sponsorship))).code, "RPC_UNAVAILABLE")
  bench.proxy.clearFaults()
  assert.strictEqual((await askFunding(owner, sponsorship)).status, 201)
  const transactionHash = await rpc(bench.chain.url, "eth_sendRawTransaction", [rawSignedTransaction])
  await mine(bench)
  const { code, context } = await problemIn(await askFunding(owner, sponsorship))
  assert.strictEqual(code, "SPONSORSHIP_CONFLICT")
  assert.deepStrictEqual(context, { chainId: 31337, transactionHash })
})

it("a payment that a plan was made for before is made by another transaction of it no second time, and its own bytes are taken up", async () => {
  const { owner, plan, rawSignedTransaction } = await funded()
  await rpc(bench.chain.url, "eth_sendRawTransaction", [rawSignedTransaction])
  await mine(bench)
  const second = await signCall(bench, owner, callOf(plan))
  await refusedAs(await submit(service, owner, plan, { rawSignedTransaction: second }), /is paid for already/)
  assert.strictEqual(timesSent(bench, second), 0)
  assert.strictEqual((await submit(service, owner, plan, { rawSignedTransaction })).status, 202)
  assert.strictEqual((await refreshed(service, owner, plan)).steps[0]?.state, "confirmed")
})

it("nobody is told to pay once the payment left, nor once it failed for good", async () => {
  const { owner, sponsorship, plan, rawSignedTransaction } = await funded()
  const [{ deadline } = assert.fail("no payment")] = sponsorship.quote?.payments ?? []
  await rpc(bench.chain.url, "evm_setAutomine", [false])
  try {
    assert.strictEqual((await submit(service, owner, plan, { rawSignedTransaction })).status, 202)
    assert.deepStrictEqual((await look(bench, owner, sponsorship)).nextAction, {
      kind: "wait",
      retryAfterMs: 2_000,
      reason: "its payment left and is not proved yet: it is paid for once"
    })
    await rpc(bench.chain.url, "evm_setNextBlockTimestamp", [deadline + 1])
  } finally {
    await rpc(bench.chain.url, "evm_setAutomine", [true])
  }
  await mine(bench)
  assert.strictEqual((await refreshed(service, owner, plan)).steps[0]?.state, "reverted")
  assert.deepStrictEqual((await look(bench, owner, sponsorship)).nextAction, {
    kind: "wait",
    retryAfterMs: 60_000,
    reason:
      "its payment failed, and a bundle is paid for once: what is not executed ends with its requests' deadlines"
  })
})
