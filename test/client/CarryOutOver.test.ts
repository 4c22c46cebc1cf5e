/** A plan whose end has passed by this machine's clock, while a step of it was being submitted. */
import { Schema } from "effect"
import { assert, it } from "vitest"
import { createClient } from "../../src/client/Client.ts"
import { commitmentOf } from "../../src/client/Commitment.ts"
import { memoryStore } from "../../src/client/Store.ts"
import type { Plan } from "../../src/plans/Plan.ts"
import { Bytes32 } from "../../src/values/Scalars.ts"
import { heldSystem } from "./support/HeldSystem.ts"
import { accountOf, newKey } from "./support/Parties.ts"
import { planRecord } from "./support/PlanRecords.ts"
import { json, problem, scriptedFetch } from "./support/ScriptedFetch.ts"

const SERVICE = "http://service.test"
const KEPT = JSON.stringify({ submission: '{"rawSignedTransaction":"0x02"}', idempotencyKey: "kept" })

/** What the service is asked, and what is left of the bytes. */
const carriedAfter = async (
  secondsAfterEnd: number,
  kept: string | undefined,
  status: Plan["status"] = "pending"
) => {
  const wallet = newKey()
  const account = accountOf(wallet.address)
  const record = planRecord({ account: wallet.address, status })
  const commitment = Schema.decodeUnknownSync(Bytes32)(
    await commitmentOf(record, { accountId: account, principalId: `owner:${account}` })
  )
  const plan = { ...record, commitment }
  const store = memoryStore()
  if (kept !== undefined) await store.keep(`${plan.id}.0`, kept)
  const { fetch, sent } = scriptedFetch(
    Array.from(
      { length: 6 },
      () =>
        ({ method }) =>
          method === "GET" ? json(200, plan) : problem(409, "PLAN_EXPIRED", { retryable: false })
    )
  )
  const system = heldSystem(plan.expiresAt + secondsAfterEnd * 1000)
  const client = createClient({ baseUrl: SERVICE, audience: SERVICE, account, signer: wallet, system, fetch })
  const code = await client.plans.carryOut(plan, { wallet, rpc: "http://node.test", store }).then(
    ({ status }) => status,
    failure => failure.problem.code
  )
  return { code, methods: sent.map(({ method }) => method), left: await store.recall(`${plan.id}.0`) }
}

it.each(["pending", "expired"] as const)(
  "keeps signed bytes for as long as they may still be admitted, and asks for that, where the plan is shown %s",
  async status => {
    for (const seconds of [0, 59])
      assert.deepStrictEqual(await carriedAfter(seconds, KEPT, status), {
        code: "PLAN_EXPIRED",
        methods: ["GET", "POST"],
        left: KEPT
      })
    const methods = ["GET", "GET"]
    assert.deepStrictEqual(await carriedAfter(60, KEPT, status), { code: status, methods, left: undefined })
    assert.deepStrictEqual(await carriedAfter(0, undefined, status), {
      code: status,
      methods,
      left: undefined
    })
  }
)
