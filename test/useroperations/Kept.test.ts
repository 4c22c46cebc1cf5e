/** What is stored of prepared operations: once for a key, for whoever may see it, within the bounds of its account. */
import { Redacted } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { assertProblem } from "../support/Problem.ts"
import { newPayer, newRelayBot } from "../support/RelayBench.ts"
import { testSettings } from "../support/Settings.ts"
import { freshNonce, type Party, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import {
  askOperation,
  boundWallet,
  preparedOperation,
  startOperatingBench,
  walletPlan
} from "./support/Operating.ts"

const bench = await startOperatingBench()
const { service, bundling } = bench
afterAll(() => bench.stop())

const PATH = "/api/v1/user-operations"
const list = (party: Party, query = "") => signedFetch(service, party, "GET", `${PATH}${query}`)
const show = (party: Party, id: string) => signedFetch(service, party, "GET", `${PATH}/${id}`)

describe("a key", () => {
  it("gives the stored operation again, byte for byte and without its chain and bundler", async () => {
    const bound = await boundWallet(bench)
    const body = { planId: (await walletPlan(bench, bound)).id, stepIndexes: [0] }
    const idempotencyKey = freshNonce()
    const first = await askOperation(service, bound.owner, body, { idempotencyKey })
    const seen = [bench.proxy.records.length, bundling.records.length]
    const again = await askOperation(service, bound.owner, body, { idempotencyKey })
    assert.deepStrictEqual([bench.proxy.records.length, bundling.records.length], seen)
    assert.deepStrictEqual([first.status, again.status], [201, 201])
    assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
    const text = await first.text()
    assert.strictEqual(await again.text(), text)
    assert.strictEqual(first.headers.get("location"), `${PATH}/${JSON.parse(text).id}`)
    const other = { ...body, stepIndexes: [0, 1] }
    await assertProblem(
      await askOperation(service, bound.owner, other, { idempotencyKey }),
      "IDEMPOTENCY_CONFLICT"
    )
  })

  it("leads to one operation however many ask with it at once", async () => {
    const bound = await boundWallet(bench)
    const plan = await walletPlan(bench, bound)
    const idempotencyKey = freshNonce()
    const body = { planId: plan.id, stepIndexes: [0] }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => askOperation(service, bound.owner, body, { idempotencyKey }))
    )
    const records = await Promise.all(answers.map(answer => answer.json()))
    assert.strictEqual(new Set(records.map(({ id }) => id)).size, 1)
    const rows = await sqlOn(service.databaseUrl, "SELECT 1 FROM user_operations WHERE plan = $1", [plan.id])
    assert.strictEqual(rows.length, 1)
  })
})

describe("who sees it", () => {
  it("the owner all, a bot its own, and a stranger none, page by page", async () => {
    const bound = await boundWallet(bench)
    const bot = await newRelayBot(bench, bound.owner)
    const stranger = await newPayer(bench)
    const plan = await walletPlan(bench, bound)
    const own = await preparedOperation(service, bound.owner, plan)
    const foreign = { planId: plan.id, stepIndexes: [0] }
    await assertProblem(await askOperation(service, bot, foreign), "PLAN_NOT_FOUND")
    const bots = await preparedOperation(service, bot, await walletPlan(bench, bound, { by: bot }))
    assert.deepStrictEqual(await (await show(bound.owner, bots.id)).json(), bots)
    assert.deepStrictEqual(await (await show(bot, bots.id)).json(), bots)
    for (const [party, id] of [
      [bot, own.id],
      [stranger, own.id],
      [bound.owner, plan.id]
    ] as const)
      await assertProblem(await show(party, id), "USER_OPERATION_NOT_FOUND")
    assert.deepStrictEqual((await (await list(bot)).json()).items, [bots])
    assert.deepStrictEqual((await (await list(stranger)).json()).items, [])
    assert.deepStrictEqual((await (await list(bound.owner, `?planId=${plan.id}`)).json()).items, [own])
    const first = await (await list(bound.owner, "?limit=1")).json()
    const cursor = encodeURIComponent(first.nextCursor)
    const rest = await (await list(bound.owner, `?limit=1&cursor=${cursor}`)).json()
    assert.deepStrictEqual([...first.items, ...rest.items], [bots, own])
    assert.strictEqual(rest.nextCursor, null)
    await assertProblem(await list(bot, `?limit=1&cursor=${cursor}`), "INVALID_PARAMETER")
  })
})

describe("an account", () => {
  it("keeps so many operations, of which the last 32 are the owner's", async () => {
    const { userOperations } = testSettings()
    const bundlers = [{ chainId: 31_337, urls: [Redacted.make(bundling.url)] }]
    const replica = await bench.replica({
      userOperations: { ...userOperations, bundlers, recordsPerAccount: 33 }
    })
    const bound = await boundWallet(bench)
    const bot = await newRelayBot(bench, bound.owner)
    const plan = await walletPlan(bench, bound, { by: bot })
    const body = { planId: plan.id, stepIndexes: [0] }
    assert.strictEqual((await askOperation(replica, bot, body)).status, 201)
    const { context } = await assertProblem(await askOperation(replica, bot, body), "STORAGE_LIMIT")
    assert.deepStrictEqual(context, { limit: "user operations" })
    await preparedOperation(replica, bound.owner, await walletPlan(bench, bound))
    await replica.stop()
  })
})

describe("looking", () => {
  it("waits only with both of its parameters, and within bounds", async () => {
    const bound = await boundWallet(bench)
    const { id } = await preparedOperation(service, bound.owner, await walletPlan(bench, bound))
    for (const query of ["?wait=5", "?since=0", "?wait=0&since=0", "?wait=21&since=0", "?wait=1&since=-1"])
      assert.strictEqual((await show(bound.owner, `${id}${query}`)).status, 400, query)
  })
})

describe("a body", () => {
  const shapes: ReadonlyArray<unknown> = [
    {},
    [],
    { planId: "x", stepIndexes: [0] },
    { planId: "01234567-89ab-4def-8123-456789abcdef" },
    ...[[], [1, 0], [0, 0], [-1], [0.5], ["0"], [32], Array.from({ length: 17 }, (_, index) => index)].map(
      stepIndexes => ({ planId: "01234567-89ab-4def-8123-456789abcdef", stepIndexes })
    ),
    { planId: "01234567-89ab-4def-8123-456789abcdef", stepIndexes: [0], sessionId: "x" }
  ]

  it("of another shape", async () => {
    const { owner } = await boundWallet(bench)
    for (const body of shapes) {
      const options = { body, idempotencyKey: freshNonce() }
      await assertProblem(
        await signedFetch(service, owner, "POST", "/api/v1/user-operations", options),
        "INVALID_INPUT"
      )
    }
  })

  it("of whom it is not", async () => {
    const { owner } = await boundWallet(bench)
    const body = { planId: "01234567-89ab-4def-8123-456789abcdef", stepIndexes: [0] }
    await assertProblem(await askOperation(service, owner, body), "PLAN_NOT_FOUND")
    await assertProblem(
      await signedFetch(service, owner, "POST", "/api/v1/user-operations", { body }),
      "IDEMPOTENCY_REQUIRED"
    )
  })
})
