/** Signed requests leave for the provider once, whatever it answers, however many ask and by whichever way. */
import { Redacted } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import type { Sponsorship } from "../../src/sponsorship/Sponsorship.ts"
import { executeCalldata } from "../../src/values/ForwardRequest.ts"
import { callOf, payment, planned, stepOf } from "../support/PlannedCalls.ts"
import { problemIn } from "../support/Problem.ts"
import { newPayer } from "../support/RelayBench.ts"
import { signCall } from "../support/SignedCalls.ts"
import { freshNonce, type Party, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { refreshed, shown, submit } from "../support/Submissions.ts"
import { until } from "../support/Until.ts"
import { answering, answerOf, startScriptedProvider } from "./support/ScriptedProvider.ts"
import { askPublication, published, signAll } from "./support/Signing.ts"
import { askSponsorship, authorizationOf, sponsorshipFor, startSponsoringBench } from "./support/Sponsored.ts"

const provider = await startScriptedProvider()
const bench = await startSponsoringBench({
  providerUrl: Redacted.make(provider.url),
  providerHeaders: Redacted.make({ authorization: "Bearer of the operator" })
})
const { service } = bench

afterAll(async () => {
  await bench.stop()
  await provider.stop()
})

const sql = (text: string, values: ReadonlyArray<unknown> = []) => sqlOn(service.databaseUrl, text, values)

const prepared = async () => {
  const owner = await newPayer(bench)
  const plan = await planned(bench, owner)
  const sponsorship = await sponsorshipFor(service, owner, plan)
  const signatures = await signAll(owner.key, sponsorship)
  const data = executeCalldata(authorizationOf(sponsorship).message, signatures[0] ?? "0x")
  return { owner, plan, sponsorship, signatures, data }
}

const show = async (owner: Party, { id }: Pick<Sponsorship, "id">): Promise<Sponsorship> =>
  (await signedFetch(service, owner, "GET", `/api/v1/sponsorships/${id}`)).json()

describe("a publication", () => {
  it("sends the forwarder's calls with their values, in the order of each chain", async () => {
    const owner = await newPayer(bench)
    const pay = payment(bench, owner.key.address)
    const plan = await planned(bench, owner, { calls: [pay, pay] })
    const sponsorship = await sponsorshipFor(service, owner, plan)
    const signatures = await signAll(owner.key, sponsorship)
    const before = provider.requests.length
    const told = await published(service, owner, sponsorship)
    assert.strictEqual(provider.requests.length, before + 1)
    const request = provider.requests.at(-1) ?? assert.fail("nothing left")
    assert.deepStrictEqual([request.method, request.path], ["POST", "/v1/bundle/prepaid"])
    assert.strictEqual(request.headers.authorization, "Bearer of the operator")
    assert.deepStrictEqual(request.body, {
      transactions: sponsorship.authorizations.map(({ forwarder, message }, position) => ({
        chain: 31337,
        target: forwarder,
        data: executeCalldata(message, signatures[position] ?? "0x"),
        value: "1000",
        virtual_nonce: position
      })),
      virtual_nonce_mode: "ChainIndependent"
    })
    assert.strictEqual(told.state, "quote_unverified")
    assert.strictEqual(told.nextAction.kind, "wait")
    assert.deepInclude(told.submission, { repeatPublicationAllowed: false })
    assert.deepInclude(told.quote, { runtimeVerified: false, payments: [], transactions: [] })
    assert.isAtLeast(told.revision, 2)
  })

  it("binds the steps to it for good, and says so in the plan", async () => {
    const { owner, plan, sponsorship } = await prepared()
    const { submission = assert.fail("it was not submitted") } = await published(service, owner, sponsorship)
    const step = stepOf(await shown(service, owner, plan))
    assert.strictEqual(step.state, "submitted")
    assert.deepStrictEqual(step.execution, {
      transport: "forwarder-prepaid-erc2771",
      bindingId: sponsorship.id,
      chainId: 31337
    })
    assert.deepInclude(step.dispatch, { status: "submitted", hash: submission.hash, count: 1 })
    const again = stepOf(await refreshed(service, owner, plan))
    assert.deepStrictEqual(again, step)
    const answer = await submit(service, owner, plan, {
      rawSignedTransaction: await signCall(bench, owner, callOf(plan))
    })
    assert.strictEqual((await problemIn(answer)).code, "TRANSPORT_CONFLICT")
    const other = await askSponsorship(service, owner, { planId: plan.id })
    assert.strictEqual((await problemIn(other)).code, "STEP_ALREADY_BOUND")
  })

  it("shows no signature in any answer", async () => {
    const { owner, plan, sponsorship, signatures } = await prepared()
    const told = JSON.stringify([
      await published(service, owner, sponsorship),
      await show(owner, sponsorship),
      await shown(service, owner, plan)
    ])
    const [signature = assert.fail("no signature")] = signatures
    assert.notInclude(told.toLowerCase(), signature.slice(2).toLowerCase())
  })

  it("is under way while the provider thinks, and nobody publishes it meanwhile", async () => {
    const { owner, plan, sponsorship, signatures, data } = await prepared()
    let answer = () => {}
    provider.next((response, request) => {
      answer = () => answering(answerOf)(response, request)
    })
    const first = askPublication(service, owner, sponsorship, { signatures })
    await until(
      () => show(owner, sponsorship),
      ({ state }) => state === "submitting"
    )
    await until(
      async () => provider.timesSent(data),
      times => times === 1
    )
    const reserved = stepOf(await shown(service, owner, plan))
    assert.strictEqual(reserved.state, "reserved")
    assert.notProperty(reserved.dispatch, "retryAfterMs")
    const second = await askPublication(service, owner, sponsorship, { signatures })
    assert.strictEqual((await problemIn(second)).code, "SPONSORSHIP_CONFLICT")
    answer()
    assert.strictEqual((await (await first).json()).state, "quote_unverified")
    assert.strictEqual(provider.timesSent(data), 1)
  })
})

describe("one request leaves", () => {
  it("of twenty equal ones", async () => {
    const { owner, sponsorship, signatures, data } = await prepared()
    const idempotencyKey = freshNonce()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        askPublication(service, owner, sponsorship, { signatures }, { idempotencyKey })
      )
    )
    assert.strictEqual(provider.timesSent(data), 1)
    const fresh = answers.filter(({ headers }) => headers.get("idempotent-replayed") === null)
    assert.strictEqual(fresh.length, 1)
    for (const answer of answers) assert.strictEqual(answer.status, 202, await answer.text())
    const again = await askPublication(service, owner, sponsorship, { signatures }, { idempotencyKey })
    assert.strictEqual(again.status, 202)
    assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
    assert.strictEqual(provider.timesSent(data), 1)
  })

  it("of twenty with keys of their own, on two replicas", async () => {
    const { owner, sponsorship, signatures, data } = await prepared()
    const replica = await bench.replica()
    try {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          askPublication(index % 2 === 0 ? service : replica, owner, sponsorship, { signatures })
        )
      )
      const taken = answers.filter(({ status }) => status === 202)
      assert.strictEqual(taken.length, 1)
      for (const answer of answers)
        if (answer.status !== 202)
          assert.include(["SPONSORSHIP_CONFLICT", "STEP_ALREADY_BOUND"], (await problemIn(answer)).code)
      assert.strictEqual(provider.timesSent(data), 1)
    } finally {
      await replica.stop()
    }
  })

  it("of a step that is sent by two transports at once", async () => {
    for (let round = 0; round < 8; round++) {
      const { owner, plan, sponsorship, signatures, data } = await prepared()
      const raw = await signCall(bench, owner, callOf(plan))
      const answers = await Promise.all([
        askPublication(service, owner, sponsorship, { signatures }),
        submit(service, owner, plan, { rawSignedTransaction: raw })
      ])
      const sent = bench.proxy.sent().filter(record => record.raw.bytes === raw).length
      assert.strictEqual(sent + provider.timesSent(data), 1)
      assert.strictEqual(answers.filter(({ status }) => status === 202).length, 1)
    }
  })

  it("of two sponsorships of one step, and of two that take one nonce", async () => {
    const { owner, plan, sponsorship, signatures } = await prepared()
    const twin = await sponsorshipFor(service, owner, plan)
    const elsewhere = await sponsorshipFor(service, owner, await planned(bench, owner))
    const answers = await Promise.all([
      askPublication(service, owner, sponsorship, { signatures }),
      askPublication(service, owner, twin, { signatures: await signAll(owner.key, twin) }),
      askPublication(service, owner, elsewhere, { signatures: await signAll(owner.key, elsewhere) })
    ])
    assert.strictEqual(answers.filter(({ status }) => status === 202).length, 1)
    const codes = new Set<string>()
    for (const answer of answers) if (answer.status !== 202) codes.add((await problemIn(answer)).code)
    for (const code of codes) assert.include(["FORWARD_NONCE_RESERVED", "STEP_ALREADY_BOUND"], code)
    assert.isTrue(codes.has("FORWARD_NONCE_RESERVED"))
    const rows = await sql("SELECT 1 FROM sponsored_calls WHERE signer = $1", [
      owner.key.address.toLowerCase()
    ])
    assert.strictEqual(rows.length, 1)
  })
})

it("a claim whose server died is unknown once its time is over, for good", async () => {
  const { owner, sponsorship, signatures, data } = await prepared()
  await published(service, owner, sponsorship)
  await sql(
    "UPDATE publications SET outcome = NULL, settled_at = NULL, bundle_id = NULL, quote = NULL, expires_at = unix_millis() WHERE sponsorship = $1",
    [sponsorship.id]
  )
  assert.strictEqual((await show(owner, sponsorship)).state, "submission_unknown")
  const again = await askPublication(service, owner, sponsorship, { signatures })
  assert.strictEqual((await problemIn(again)).code, "SPONSORSHIP_CONFLICT")
  assert.strictEqual(provider.timesSent(data), 1)
})
