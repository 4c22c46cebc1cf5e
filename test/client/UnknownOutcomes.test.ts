import { assert, describe, it } from "vitest"
import { createClient } from "../../src/client/Client.ts"
import { NetworkFailure, ServiceProblem } from "../../src/client/Errors.ts"
import { heldSystem } from "./support/HeldSystem.ts"
import { accountOf, newKey } from "./support/Parties.ts"
import { planRecord } from "./support/PlanRecords.ts"
import { json, problem, type Scripted, scriptedFetch } from "./support/ScriptedFetch.ts"

const key = newKey()
const audience = "http://service.test"
const id = "5f0c8a52-0b1c-4f0a-9f53-000000000001"

const scripted = (script: ReadonlyArray<Scripted>) => {
  const { fetch, sent } = scriptedFetch(script)
  const account = accountOf(key.address)
  const system = heldSystem(1_800_000_000_000)
  const client = createClient({
    baseUrl: audience,
    audience,
    account,
    signer: key,
    system,
    fetch,
    retries: 2
  })
  return { client, sent }
}

const refusalAfter = async (script: ReadonlyArray<Scripted>) => {
  const { client, sent } = scripted(script)
  const failure = await client.plans
    .submit(id, 0, { rawSignedTransaction: "0x02" })
    .catch((caught: unknown) => caught)
  assert.instanceOf(failure, ServiceProblem)
  assert.strictEqual(new Set(sent.map(({ headers, body }) => headers.get("idempotency-key") + body)).size, 1)
  return failure
}

const revoked = () => problem(403, "FORBIDDEN")
const lost = new TypeError("socket closed")

describe("a refusal after an attempt that was not answered", () => {
  it("keeps the unknown outcome as its cause", async () => {
    const refused = await refusalAfter([lost, revoked])
    assert.strictEqual(refused.code, "FORBIDDEN")
    assert.instanceOf(refused.cause, NetworkFailure)
    assert.match(refused.idempotencyKey ?? "", /^[0-9a-f]{32}$/)
    const busy = () => problem(429, "SERVICE_BUSY")
    assert.instanceOf((await refusalAfter([busy, lost, busy])).cause, NetworkFailure)
    const failed = await refusalAfter([() => problem(503, "BROADCAST_PERSISTENCE_UNCERTAIN"), revoked])
    assert.instanceOf(failed.cause, ServiceProblem)
    const delivered = await refusalAfter([() => problem(409, "NONCE_REUSED"), revoked])
    assert.instanceOf(delivered.cause, ServiceProblem)
  })

  it("keeps the first of them, and one that was not answered before any refusal", async () => {
    const down = () => problem(503, "DATABASE_UNAVAILABLE")
    const broken = () => problem(503, "BROADCAST_PERSISTENCE_UNCERTAIN")
    assert.instanceOf((await refusalAfter([lost, down, down])).cause, NetworkFailure)
    assert.instanceOf((await refusalAfter([down, lost, down])).cause, NetworkFailure)
    const { cause } = await refusalAfter([broken, down, down])
    assert.strictEqual(cause instanceof ServiceProblem && cause.code, "BROADCAST_PERSISTENCE_UNCERTAIN")
    assert.isUndefined((await refusalAfter([down, down, down])).cause)
  })

  it("has no cause where it only read", async () => {
    const { client } = scripted([lost, () => problem(404, "PLAN_NOT_FOUND")])
    const failure = await client.plans.show(id).catch((caught: unknown) => caught)
    assert.instanceOf(failure, ServiceProblem)
    assert.isUndefined(failure.cause)
  })

  it("has no cause where every attempt was refused", async () => {
    const refused = await refusalAfter([() => problem(429, "SERVICE_BUSY"), revoked])
    assert.isUndefined(refused.cause)
  })
})

describe("a request that something in between delivered twice", () => {
  const taken = () => problem(409, "NONCE_REUSED")

  it("is repeated under the same key with a new nonce", async () => {
    const stored = json(200, { plan: planRecord() }, { "idempotent-replayed": "true" })
    const { client, sent } = scripted([taken, stored])
    assert.isTrue((await client.plans.submit(id, 0, { rawSignedTransaction: "0x02" })).replayed)
    const of = (name: string) => new Set(sent.map(({ headers }) => headers.get(name))).size
    assert.deepStrictEqual([of("x-service-nonce"), of("idempotency-key")], [2, 1])
  })

  it("is repeated where it reads, and not where it has no key", async () => {
    const read = scripted([taken, json(200, { account: { id: accountOf(key.address) } })])
    await read.client.accounts.show()
    assert.strictEqual(read.sent.length, 2)
    const unkeyed = scripted([taken])
    await unkeyed.client.accounts.enroll().catch(() => undefined)
    assert.strictEqual(unkeyed.sent.length, 1)
  })
})
