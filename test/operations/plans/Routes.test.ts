import { parseEther } from "viem"
import { afterAll, assert, describe, it } from "vitest"
import { declarations, isPlan } from "../../../src/operations/framework/Declarations.ts"
import { operationIds } from "../../../src/operations/generated/OperationIds.ts"
import { newBot } from "../../support/Bots.ts"
import { startPlanBench } from "../../support/PlanBench.ts"
import { rpc } from "../../support/Rpc.ts"
import { NATIVE_TOKEN } from "../../support/Sandbox.ts"
import { freshNonce, type Party, type RequestOptions, signedFetch } from "../../support/SignedFetch.ts"

const bench = await startPlanBench()

afterAll(() => bench.stop())

const OWN = "/api/v1/operations/prepare_pay/plans"
const PLANS = "/api/v1/plans"

const payment = (over: object = {}) => {
  const { address } = bench.holder.key
  const project = { chainId: 31337, projectId: "2" }
  const amount = String(parseEther("1"))
  return { project, account: address, beneficiary: address, token: NATIVE_TOKEN, amount, ...over }
}

const post = (
  target: string,
  options: RequestOptions,
  party: Party = bench.holder,
  service = bench.service
) => signedFetch(service, party, "POST", target, { idempotencyKey: freshNonce(), ...options })

const answered = async (asked: Promise<Response>) => {
  const answer = await asked
  const body = await answer.json()
  return { status: answer.status, code: body.code, path: body.context?.path, body, headers: answer.headers }
}

describe("the routes of prepared operations", () => {
  it("prepare the same plan by the operation's own path and by that of plans", async () => {
    const own = await answered(post(OWN, { body: payment() }))
    const named = await answered(post(PLANS, { body: { operation: "prepare_pay", input: payment() } }))
    for (const { status, body, headers } of [own, named]) {
      assert.strictEqual(status, 201, JSON.stringify(body))
      assert.strictEqual(headers.get("location"), `/api/v1/plans/${body.id}`)
      assert.isNull(headers.get("idempotent-replayed"))
    }
    assert.notStrictEqual(own.body.id, named.body.id)
    assert.deepStrictEqual(own.body.calls, named.body.calls)
  })

  it("say which member of the input is wrong, each in its own words", async () => {
    const own = await answered(post(OWN, { body: payment({ amount: "-1" }) }))
    assert.deepStrictEqual([own.status, own.code, own.path], [400, "INVALID_INPUT", "amount"])
    const input = payment({ amount: "-1" })
    const named = await answered(post(PLANS, { body: { operation: "prepare_pay", input } }))
    assert.deepStrictEqual([named.status, named.code, named.path], [400, "INVALID_INPUT", "input.amount"])
    const nothing = await answered(post(PLANS, { body: { operation: "prepare_pay" } }))
    assert.deepStrictEqual([nothing.code, nothing.path], ["INVALID_INPUT", "input"])
    const unknown = await answered(post(PLANS, { body: { operation: "quote_pay", input } }))
    assert.deepStrictEqual([unknown.code, unknown.path], ["INVALID_INPUT", "operation"])
    const list = await answered(post(OWN, { body: [] }))
    assert.deepStrictEqual([list.status, list.code], [400, "INVALID_INPUT"])
  })

  it("know nothing of operations that prepare no plan, nor of others", async () => {
    const others = operationIds.filter(id => !isPlan(declarations[id]))
    for (const id of [...others.slice(0, 3), "prepare_everything"]) {
      const { status, code } = await answered(post(`/api/v1/operations/${id}/plans`, { body: {} }))
      assert.deepStrictEqual([status, code], [404, "OPERATION_NOT_FOUND"], id)
    }
    const read = await signedFetch(bench.service, bench.holder, "GET", "/api/v1/operations/prepare_pay")
    assert.deepStrictEqual([read.status, (await read.json()).code], [404, "OPERATION_NOT_FOUND"])
  })

  it("need a key, and the scope to plan", async () => {
    const keyless = await signedFetch(bench.service, bench.holder, "POST", OWN, { body: payment() })
    assert.strictEqual((await keyless.json()).code, "IDEMPOTENCY_REQUIRED")
    const reader = await newBot(bench.service, bench.holder)
    assert.strictEqual((await answered(post(OWN, { body: payment() }, reader))).code, "FORBIDDEN")
    const planner = await newBot(bench.service, bench.holder, { scopes: ["read", "plan"] })
    assert.strictEqual((await answered(post(OWN, { body: payment() }, planner))).status, 201)
  })
})

describe("a repeated preparation", () => {
  it("gives the stored plan again without a look at any chain, from another process and another block too", async () => {
    const idempotencyKey = freshNonce()
    const first = await answered(post(OWN, { body: payment(), idempotencyKey }))
    await rpc(bench.chain.url, "anvil_mine", ["0x3"])
    const replica = await bench.replica()
    for (const service of [bench.service, replica]) {
      const { value, roundTrips } = await bench.node.during(() =>
        answered(post(OWN, { body: payment(), idempotencyKey }, bench.holder, service))
      )
      assert.strictEqual(roundTrips, 0)
      assert.strictEqual(value.status, 201)
      assert.strictEqual(value.headers.get("idempotent-replayed"), "true")
      assert.deepStrictEqual(value.body, first.body)
    }
    await replica.stop()
  })

  it("is one plan, however many ask for it at once and through whichever process", async () => {
    const replica = await bench.replica()
    const idempotencyKey = freshNonce()
    const twins = await Promise.all(
      [bench.service, replica, bench.service, replica].map(service =>
        answered(post(OWN, { body: payment(), idempotencyKey }, bench.holder, service))
      )
    )
    await replica.stop()
    assert.deepStrictEqual(new Set(twins.map(({ status }) => status)), new Set([201]))
    assert.strictEqual(new Set(twins.map(({ body }) => body.id)).size, 1)
  })

  it("of another input under the same key is refused", async () => {
    const idempotencyKey = freshNonce()
    assert.strictEqual((await answered(post(OWN, { body: payment(), idempotencyKey }))).status, 201)
    const other = await answered(post(OWN, { body: payment({ memo: "other" }), idempotencyKey }))
    assert.deepStrictEqual([other.status, other.code], [409, "IDEMPOTENCY_CONFLICT"])
  })

  it("that was refused keeps no key, so that the same request may succeed later", async () => {
    const idempotencyKey = freshNonce()
    const body = payment({ amount: String(parseEther("15000")) })
    const poor = await answered(post(OWN, { body, idempotencyKey }))
    assert.strictEqual(poor.code, "INSUFFICIENT_BALANCE")
    const balance = `0x${parseEther("30000").toString(16)}`
    await rpc(bench.chain.url, "anvil_setBalance", [bench.holder.key.address, balance])
    await rpc(bench.chain.url, "anvil_mine", ["0x1"])
    assert.strictEqual((await answered(post(OWN, { body, idempotencyKey }))).status, 201)
  })
})
