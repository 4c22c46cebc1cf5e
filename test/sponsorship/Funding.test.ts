/** The owner pays for what was proved, once, and for nothing else. */
import { concatHex, encodeFunctionData, type Hex, numberToHex } from "viem"
import { afterAll, afterEach, assert, describe, it } from "vitest"
import type { Lie } from "../../sandbox/provider/Faults.ts"
import type { Plan } from "../../src/plans/Plan.ts"
import type { Sponsorship } from "../../src/sponsorship/Sponsorship.ts"
import { executeCalldata } from "../../src/values/ForwardRequest.ts"
import type { ProblemCode } from "../../src/values/ProblemRegister.ts"
import { arm, disarm } from "../provider/support/Provider.ts"
import { forwarderAbi } from "../sandbox/support/Forwarding.ts"
import { callOf, planned, stepOf } from "../support/PlannedCalls.ts"
import { problemIn } from "../support/Problem.ts"
import { mine, newPayer, timesSent } from "../support/RelayBench.ts"
import { rpc } from "../support/Rpc.ts"
import { signCall } from "../support/SignedCalls.ts"
import { freshNonce, type Party, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { refreshed, submit } from "../support/Submissions.ts"
import { until } from "../support/Until.ts"
import { leave, send } from "./support/Executing.ts"
import { look, lookAnew, oncePublished, publishedAnew, startQuotedBench } from "./support/Quoted.ts"
import { signAll } from "./support/Signing.ts"
import { authorizationOf, sponsorshipFor } from "./support/Sponsored.ts"

const bench = await startQuotedBench()
const { provider, service } = bench

afterAll(() => bench.stop())
afterEach(() => disarm(provider))

const ask = (
  owner: Party,
  { id }: Pick<Sponsorship, "id">,
  over: Readonly<Record<string, unknown>> = {},
  idempotencyKey = freshNonce()
) =>
  signedFetch(service, owner, "POST", `/api/v1/sponsorships/${id}/funding-plans`, {
    body: { chainId: 31337, payer: owner.key.address, ...over },
    idempotencyKey
  })

const funded = async (owner: Party, sponsorship: Sponsorship): Promise<Plan> => {
  const answer = await ask(owner, sponsorship)
  const body = await answer.json()
  assert.strictEqual(answer.status, 201, JSON.stringify(body))
  return body
}

const quoted = async () => {
  const { owner, plan, sponsorship } = await publishedAnew(bench)
  return { owner, plan, sponsorship: await oncePublished(bench, owner, sponsorship, undefined) }
}

/** Which the provider executes never, so that whoever has the call may. */
const quotedForAnybody = async () => {
  await arm(provider, { lie: "executes-never", path: "publication" })
  const { owner, prepared, sponsorship } = await publishedAnew(bench)
  const { message } = authorizationOf(prepared)
  const [signature = assert.fail("no signature")] = await signAll(owner.key, prepared)
  return {
    owner,
    sponsorship: await oncePublished(bench, owner, sponsorship, undefined),
    call: executeCalldata(message, signature)
  }
}

const paying = async (owner: Party, plan: Plan) => {
  const rawSignedTransaction = await signCall(bench, owner, callOf(plan))
  return { rawSignedTransaction, answer: await submit(service, owner, plan, { rawSignedTransaction }) }
}

const refusedWith = async (answer: Response) => {
  const { code, context } = await problemIn(answer)
  return { status: answer.status, code, context }
}

describe("a funding plan", () => {
  it("pays exactly what was proved, and says what it does not promise", async () => {
    const { owner, sponsorship } = await quoted()
    const plan = await funded(owner, sponsorship)
    const { quote: { bundleId, commitment, payments } = assert.fail("no quote") } = sponsorship
    const [{ deadline, ...paid } = assert.fail("no payment")] = payments
    const call = callOf(plan)
    assert.deepInclude(call, paid)
    assert.deepInclude(call.decoded, {
      function: "prepayment(bytes16,uint40)",
      args: [`0x${bundleId.replaceAll("-", "")}`, String(deadline)]
    })
    assert.deepStrictEqual([plan.operation, plan.account], ["prepaid_bundle_funding", owner.key.address])
    assert.deepInclude(plan.summary, { sponsorshipId: sponsorship.id, bundleId, quoteCommitment: commitment })
    assert.strictEqual(plan.warnings.length, 2)
    const shown = await look(bench, owner, sponsorship)
    assert.deepStrictEqual(shown.funding, { planId: plan.id, chainId: 31337, state: "ready" })
    assert.strictEqual(shown.nextAction.kind, "submit")
  })

  it("is proved by its payment, and then the requests are executed", async () => {
    const { owner, sponsorship } = await quoted()
    const plan = await funded(owner, sponsorship)
    assert.strictEqual((await paying(owner, plan)).answer.status, 202)
    await mine(bench)
    const paid = stepOf(
      await until(
        () => refreshed(service, owner, plan),
        ({ steps: [step] }) => step?.state === "confirmed"
      )
    )
    assert.deepInclude(paid.semantic, { status: "verified", verifier: "prepayment" })
    const executing = await look(bench, owner, sponsorship)
    assert.include(["executing", "completed"], executing.state)
    assert.deepInclude(executing.funding, { planId: plan.id, state: "confirmed" })
    const done = await until(
      async () => {
        await mine(bench, 1)
        return lookAnew(bench, owner, sponsorship)
      },
      ({ state }) => state === "completed"
    )
    assert.strictEqual(done.economicCompletion, "verified")
    assert.deepStrictEqual(done.nextAction, { kind: "none" })
  })

  it("is given again for its key, whatever the provider says by then", async () => {
    const { owner, sponsorship } = await quoted()
    const key = freshNonce()
    const first = await ask(owner, sponsorship, {}, key)
    await arm(provider, { lie: "request-byte", path: "bundle", times: 100 })
    const again = await ask(owner, sponsorship, {}, key)
    assert.deepStrictEqual([first.status, again.status], [201, 201])
    assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
    assert.deepStrictEqual((await again.json()).id, (await first.json()).id)
  })

  it("leaves once: of two that were prepared, the second is refused and not sent", async () => {
    const { owner, sponsorship } = await quoted()
    const [one, other] = [await funded(owner, sponsorship), await funded(owner, sponsorship)]
    assert.strictEqual((await paying(owner, one)).answer.status, 202)
    const { answer, rawSignedTransaction } = await paying(owner, other)
    assert.deepStrictEqual(await refusedWith(answer), {
      status: 409,
      code: "SPONSORSHIP_CONFLICT",
      context: { planId: one.id }
    })
    assert.strictEqual(timesSent(bench, rawSignedTransaction), 0)
    assert.strictEqual((await problemIn(await ask(owner, sponsorship))).code, "SPONSORSHIP_CONFLICT")
    assert.strictEqual((await look(bench, owner, sponsorship)).funding?.planId, one.id)
  })

  it("stays where a request was executed since without being paid for, and leaves once that left its chain", async () => {
    const { owner, sponsorship, call } = await quotedForAnybody()
    const plan = await funded(owner, sponsorship)
    const { forwarder, message } = authorizationOf(sponsorship)
    const execution = await send(bench, { to: forwarder, data: call, value: BigInt(message.value) })
    assert.strictEqual((await lookAnew(bench, owner, sponsorship)).state, "executing")
    const { answer, rawSignedTransaction } = await paying(owner, plan)
    const { code, detail, status } = await problemIn(answer)
    assert.deepStrictEqual([status, code], [409, "SPONSORSHIP_CONFLICT"])
    assert.match(detail ?? "", /was executed already/)
    assert.strictEqual(timesSent(bench, rawSignedTransaction), 0)
    await leave(bench, execution)
    assert.strictEqual((await lookAnew(bench, owner, sponsorship)).state, "funding_quote_available")
    const again = await submit(service, owner, plan, { rawSignedTransaction })
    assert.strictEqual(again.status, 202)
  })

  it("is told of where its wallet paid by itself, although the request was executed for that", async () => {
    const { owner, sponsorship, call } = await quotedForAnybody()
    const plan = await funded(owner, sponsorship)
    const rawSignedTransaction = await signCall(bench, owner, callOf(plan))
    await rpc(bench.chain.url, "eth_sendRawTransaction", [rawSignedTransaction])
    const { forwarder, message } = authorizationOf(sponsorship)
    await send(bench, { to: forwarder, data: call, value: BigInt(message.value) })
    assert.strictEqual((await lookAnew(bench, owner, sponsorship)).state, "executing")
    const answer = await submit(service, owner, plan, { rawSignedTransaction })
    assert.strictEqual(answer.status, 202, await answer.clone().text())
  })

  it("leaves once of two that are sent at the same moment", async () => {
    const { owner, sponsorship } = await quoted()
    const plans = [await funded(owner, sponsorship), await funded(owner, sponsorship)]
    const raws = await Promise.all(
      plans.map(async (plan, nonce) => ({ plan, raw: await signCall(bench, owner, callOf(plan), { nonce }) }))
    )
    const answers = await Promise.all(
      raws.map(({ plan, raw }) => submit(service, owner, plan, { rawSignedTransaction: raw }))
    )
    assert.isAtMost(answers.filter(({ status }) => status === 202).length, 1)
    assert.isAtMost(
      raws.reduce((sum, { raw }) => sum + timesSent(bench, raw), 0),
      1
    )
  })
})

/** What the provider answered, as if it had asked so with the calldata that belongs to it. */
const deadlineMoved = async ({ id, quote }: Sponsorship, deadline: number) => {
  const bundle: Hex = `0x${quote?.bundleId.replaceAll("-", "")}`
  const data = concatHex(["0x103903a7", bundle, `0x${"00".repeat(16)}`, numberToHex(deadline, { size: 32 })])
  await sqlOn(
    service.databaseUrl,
    `UPDATE publications SET quote = jsonb_set(jsonb_set(quote::jsonb, '{payments,0,data}', to_jsonb($2::text)),
      '{payments,0,deadline}', to_jsonb($3::bigint))::json WHERE sponsorship = $1`,
    [id, data, deadline]
  )
}

/** As its chain tells, whatever the service knows of it. */
const onceExecuted = (owner: Party, sponsorship: Sponsorship) => {
  const { forwarder } = authorizationOf(sponsorship)
  const data = encodeFunctionData({ abi: forwarderAbi, functionName: "nonces", args: [owner.key.address] })
  return until(
    () => rpc(bench.chain.url, "eth_call", [{ to: forwarder, data }, "latest"]),
    next => BigInt(next) === 1n
  )
}

describe("nothing is prepared", () => {
  it("before there is a quote, by another wallet, or on another chain", async () => {
    const owner = await newPayer(bench)
    const prepared = await sponsorshipFor(service, owner, await planned(bench, owner))
    assert.deepInclude(await refusedWith(await ask(owner, prepared)), {
      code: "QUOTE_UNAVAILABLE",
      status: 409
    })
    const { owner: payer, sponsorship } = await quoted()
    assert.deepInclude(await refusedWith(await ask(payer, sponsorship, { payer: owner.key.address })), {
      code: "FUNDING_PAYER_MISMATCH",
      status: 403
    })
    assert.deepStrictEqual(await refusedWith(await ask(payer, sponsorship, { chainId: 1 })), {
      status: 422,
      code: "FUNDING_CHAIN_UNAVAILABLE",
      context: { chains: [31337] }
    })
  })

  it.each<readonly [Lie, ProblemCode, number]>([
    ["request-byte", "QUOTE_UNVERIFIED", 422],
    ["bundle-id", "QUOTE_UNVERIFIED", 422],
    ["code-replaced", "QUOTE_UNVERIFIED", 422],
    ["wire-html", "PROVIDER_INVALID_RESPONSE", 502],
    ["wire-500", "PROVIDER_UNAVAILABLE", 502],
    ["wire-late", "PROVIDER_TIMEOUT", 504]
  ])("while the provider tells %s, though it was proved before", async (lie, code, status) => {
    const { owner, sponsorship } = await quoted()
    await arm(provider, { lie, path: "bundle", times: 100 })
    assert.deepInclude(await refusedWith(await ask(owner, sponsorship)), { code, status })
    assert.notProperty(await look(bench, owner, sponsorship), "funding")
    await disarm(provider)
    await funded(owner, sponsorship)
  })

  it("for more than may be paid", async () => {
    await arm(provider, { lie: "payment-largest", path: "publication" })
    const { owner, sponsorship } = await publishedAnew(bench)
    assert.deepInclude(await refusedWith(await ask(owner, sponsorship)), {
      code: "FUNDING_BOUND",
      status: 422
    })
  })

  it("when the time to pay is nearly over, or longer than the requests live", async () => {
    const { owner, sponsorship } = await quoted()
    const [{ message } = assert.fail("no request")] = sponsorship.authorizations
    await deadlineMoved(sponsorship, Math.floor(Date.now() / 1000) + 20)
    assert.deepInclude(await refusedWith(await ask(owner, sponsorship)), {
      code: "QUOTE_EXPIRED",
      status: 409
    })
    await deadlineMoved(sponsorship, Number(message.deadline) - 29)
    assert.deepInclude(await refusedWith(await ask(owner, sponsorship)), {
      code: "QUOTE_OUTLIVES_AUTHORIZATION",
      status: 422
    })
  })

  it("when a request was executed without being paid for", async () => {
    await arm(provider, { lie: "executes-unpaid", path: "publication" })
    const { owner, sponsorship } = await publishedAnew(bench)
    await onceExecuted(owner, sponsorship)
    assert.include(
      ["FORWARD_REQUEST_CHANGED", "QUOTE_UNAVAILABLE"],
      (await problemIn(await ask(owner, sponsorship))).code
    )
    assert.strictEqual((await lookAnew(bench, owner, sponsorship)).state, "executing")
    assert.deepStrictEqual(await refusedWith(await ask(owner, sponsorship)), {
      status: 409,
      code: "QUOTE_UNAVAILABLE",
      context: { state: "executing" }
    })
  })
})
