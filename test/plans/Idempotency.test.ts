import { afterAll, assert, describe, it } from "vitest"
import { callOf, contractCalls, payment, planned, requestPlan } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import { newPayer, newRelayBot, startRelayBench, timesSent } from "../support/RelayBench.ts"
import { signCall } from "../support/SignedCalls.ts"
import { freshNonce, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { approvedStep, signApproval } from "../support/StepApproval.ts"
import { submit, submitted } from "../support/Submissions.ts"

const bench = await startRelayBench()
const owner = await newPayer(bench)

afterAll(() => bench.stop())

const sql = (text: string, values: ReadonlyArray<unknown> = []) =>
  sqlOn(bench.service.databaseUrl, text, values)

const body = () => contractCalls(owner, [payment(bench, owner.key.address)])

const plansOf = async (): Promise<number> =>
  Number((await sql("SELECT count(*) AS total FROM plans"))[0]?.total)

/** Requests under a key that is taken, with bodies that none of the routes takes. */
const misplaced = (planId: string, idempotencyKey: string) =>
  [
    "/api/v1/plans",
    "/api/v1/operations/prepare_pay/plans",
    "/api/v1/operations/no_such_operation/plans",
    `/api/v1/plans/${planId}/submissions`,
    `/api/v1/plans/${planId}/steps/0/submissions`,
    `/api/v1/plans/${planId}/steps/9/submissions`,
    "/api/v1/plans/01234567-89ab-4def-8123-456789abcdef/steps/0/submissions"
  ].flatMap(target =>
    ["{}", "{", '{"rawSignedTransaction":"0x00"}'].map(
      rawBody => () =>
        signedFetch(bench.service, owner, "POST", target, {
          rawBody,
          contentType: "application/json",
          idempotencyKey
        })
    )
  )

describe("a creation", () => {
  it("needs a key", async () => {
    const answer = await signedFetch(bench.service, owner, "POST", "/api/v1/plans", { body: body() })
    await assertProblem(answer, "IDEMPOTENCY_REQUIRED")
  })

  it("gives the stored plan again, before any upstream work", async () => {
    const idempotencyKey = freshNonce()
    const first = await requestPlan(bench.service, owner, body(), { idempotencyKey })
    assert.strictEqual(first.status, 201)
    assert.isFalse(first.headers.has("idempotent-replayed"))
    const plan = await first.json()
    assert.strictEqual(first.headers.get("location"), `/api/v1/plans/${plan.id}`)
    const asked = bench.proxy.roundTrips()
    const again = await requestPlan(bench.service, owner, body(), { idempotencyKey })
    assert.strictEqual(again.status, 201)
    assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
    assert.strictEqual(again.headers.get("location"), `/api/v1/plans/${plan.id}`)
    assert.deepStrictEqual(await again.json(), plan)
    assert.strictEqual(bench.proxy.roundTrips(), asked)
  })

  it("gives the plan as it is now, also after its expiry", async () => {
    const idempotencyKey = freshNonce()
    const { id } = await (await requestPlan(bench.service, owner, body(), { idempotencyKey })).json()
    await sql("UPDATE plans SET created_at = 0, expires_at = 1 WHERE id = $1", [id])
    const again = await (await requestPlan(bench.service, owner, body(), { idempotencyKey })).json()
    assert.strictEqual(again.id, id)
    assert.strictEqual(again.status, "expired")
  })

  it("conflicts with another body, spelling, type or route under its key, before preparing", async () => {
    const idempotencyKey = freshNonce()
    const plan = await (await requestPlan(bench.service, owner, body(), { idempotencyKey })).json()
    const asked = bench.proxy.roundTrips()
    const stored = await plansOf()
    const other = contractCalls(owner, [payment(bench, owner.key.address, { value: "7" })])
    const conflicts = [
      () => requestPlan(bench.service, owner, other, { idempotencyKey }),
      () =>
        requestPlan(bench.service, owner, undefined, {
          idempotencyKey,
          rawBody: `${JSON.stringify(body())} `
        }),
      () =>
        requestPlan(bench.service, owner, body(), {
          idempotencyKey,
          contentType: "application/json; charset=utf-8"
        })
    ]
    for (const conflict of conflicts) await assertProblem(await conflict(), "IDEMPOTENCY_CONFLICT")
    const raw = await signCall(bench, owner, callOf(plan))
    const crossed = await submit(
      bench.service,
      owner,
      plan,
      { rawSignedTransaction: raw },
      { idempotencyKey }
    )
    await assertProblem(crossed, "IDEMPOTENCY_CONFLICT")
    for (const conflict of misplaced(plan.id, idempotencyKey))
      await assertProblem(await conflict(), "IDEMPOTENCY_CONFLICT")
    assert.strictEqual(bench.proxy.roundTrips(), asked)
    assert.strictEqual(await plansOf(), stored)
    assert.strictEqual(timesSent(bench, raw), 0)
  })

  it("leaves its key free when it is refused", async () => {
    const idempotencyKey = freshNonce()
    const bad = contractCalls(owner, [payment(bench, owner.key.address, { args: [] })])
    await assertProblem(
      await requestPlan(bench.service, owner, bad, { idempotencyKey }),
      "ABI_ARGUMENT_INVALID"
    )
    assert.strictEqual((await requestPlan(bench.service, owner, body(), { idempotencyKey })).status, 201)
  })

  it("has a namespace for each principal", async () => {
    const idempotencyKey = freshNonce()
    const bot = await newRelayBot(bench, owner)
    const own = await (await requestPlan(bench.service, owner, body(), { idempotencyKey })).json()
    const others = await requestPlan(bench.service, bot, body(), { idempotencyKey })
    assert.strictEqual(others.status, 201)
    assert.notStrictEqual((await others.json()).id, own.id)
  })
})

describe("a submission", () => {
  it("gives its step again under its key and conflicts with other bytes and other steps", async () => {
    const payer = await newPayer(bench)
    const pay = payment(bench, payer.key.address)
    const plan = await planned(bench, payer, { calls: [pay, pay] })
    const raw = await signCall(bench, payer, callOf(plan))
    const idempotencyKey = freshNonce()
    const request = { rawSignedTransaction: raw }
    await submitted(bench.service, payer, plan, request, { idempotencyKey })
    const asked = bench.proxy.roundTrips()
    const again = await submit(bench.service, payer, plan, request, { idempotencyKey })
    assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
    const other = await signCall(bench, payer, callOf(plan), { gas: 900_000n })
    for (const conflict of [
      () => submit(bench.service, payer, plan, { rawSignedTransaction: other }, { idempotencyKey }),
      () => submit(bench.service, payer, plan, request, { idempotencyKey, step: 1 }),
      () => requestPlan(bench.service, payer, contractCalls(payer, [pay]), { idempotencyKey })
    ])
      await assertProblem(await conflict(), "IDEMPOTENCY_CONFLICT")
    assert.strictEqual(bench.proxy.roundTrips(), asked)
    assert.strictEqual(timesSent(bench, raw), 1)
    assert.strictEqual(timesSent(bench, other), 0)
  })

  it("remembers a repeat of a step in hand under the repeat's own key", async () => {
    const payer = await newPayer(bench)
    const plan = await planned(bench, payer)
    const request = { rawSignedTransaction: await signCall(bench, payer, callOf(plan)) }
    await submitted(bench.service, payer, plan, request)
    const idempotencyKey = freshNonce()
    const repeat = await submit(bench.service, payer, plan, request, { idempotencyKey })
    assert.isFalse(repeat.headers.has("idempotent-replayed"))
    const again = await submit(bench.service, payer, plan, request, { idempotencyKey })
    assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
  })
})

describe("storage", () => {
  const withCopiesOfPlan = (planId: string, copies: number) =>
    sql(
      `INSERT INTO plans (id, account, principal, operation, wallet, terms, commitment, created_at, expires_at)
      SELECT gen_random_uuid(), account, principal, operation, wallet, terms, commitment, created_at, expires_at
      FROM plans, generate_series(1, $2::int) WHERE id = $1`,
      [planId, copies]
    )

  const withCopiesOfKey = (planId: string, copies: number) =>
    sql(
      `INSERT INTO idempotency_keys (account, principal, key, identity, kind, plan, created_at)
      SELECT account, principal, 'copy ' || copy, identity, kind, plan, created_at
      FROM idempotency_keys, generate_series(1, $2::int) copy WHERE plan = $1`,
      [planId, copies]
    )

  const isFull = async (answer: Response, limit: string) =>
    assert.deepStrictEqual((await assertProblem(answer, "STORAGE_LIMIT")).context, { limit })

  it("keeps ten thousand plans of an account and refuses the next", async () => {
    const payer = await newPayer(bench)
    const plan = await planned(bench, payer)
    await withCopiesOfPlan(plan.id, 9_998)
    const pay = contractCalls(payer, [payment(bench, payer.key.address)])
    assert.strictEqual((await requestPlan(bench.service, payer, pay)).status, 201)
    await isFull(await requestPlan(bench.service, payer, pay), "plans")
  })

  it("keeps ten thousand keys of an account and refuses the next", async () => {
    const payer = await newPayer(bench)
    const plan = await planned(bench, payer)
    await withCopiesOfKey(plan.id, 9_999)
    const pay = contractCalls(payer, [payment(bench, payer.key.address)])
    await isFull(await requestPlan(bench.service, payer, pay), "idempotency keys")
    const raw = await signCall(bench, payer, callOf(plan))
    await isFull(await submit(bench.service, payer, plan, { rawSignedTransaction: raw }), "idempotency keys")
    assert.strictEqual(timesSent(bench, raw), 0)
  })

  it.each([
    ["plans", withCopiesOfPlan],
    ["idempotency keys", withCopiesOfKey]
  ] as const)("keeps the last 320 %s for the owner, whatever bots fill", async (limit, withCopies) => {
    const payer = await newPayer(bench)
    const bot = await newRelayBot(bench, payer)
    const plan = await planned(bench, payer, { by: bot })
    await withCopies(plan.id, 9_678)
    const pay = contractCalls(payer, [payment(bench, payer.key.address)])
    assert.strictEqual((await requestPlan(bench.service, bot, pay)).status, 201)
    await isFull(await requestPlan(bench.service, bot, pay), limit)
    assert.strictEqual((await requestPlan(bench.service, payer, pay)).status, 201)
  })

  it("has no room for a bot's submission where it has room for the owner's", async () => {
    const payer = await newPayer(bench)
    const bot = await newRelayBot(bench, payer)
    const own = await planned(bench, payer)
    const plan = await planned(bench, payer, { by: bot })
    await withCopiesOfKey(plan.id, 9_678)
    const raw = await signCall(bench, payer, callOf(plan))
    const ownerApproval = await signApproval(payer.key, bench.service, approvedStep(bot, plan, raw))
    const body = { rawSignedTransaction: raw, ownerApproval }
    await isFull(await submit(bench.service, bot, plan, body), "idempotency keys")
    await submitted(bench.service, payer, own, { rawSignedTransaction: raw })
    assert.strictEqual(timesSent(bench, raw), 1)
  })
})
