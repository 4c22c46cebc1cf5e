import { assert, describe, it } from "vitest"
import { createClient } from "../../src/client/Client.ts"
import { NetworkFailure, ServiceProblem } from "../../src/client/Errors.ts"
import { heldSystem } from "./support/HeldSystem.ts"
import { accountOf, newKey } from "./support/Parties.ts"
import { problem, type Scripted, scriptedFetch } from "./support/ScriptedFetch.ts"

const key = newKey()
const audience = "http://service.test"
const id = "5f0c8a52-0b1c-4f0a-9f53-000000000001"

const refusalAfter = async (script: ReadonlyArray<Scripted>) => {
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
  })

  it("has no cause where every attempt was refused", async () => {
    const refused = await refusalAfter([() => problem(429, "SERVICE_BUSY"), revoked])
    assert.isUndefined(refused.cause)
  })
})
