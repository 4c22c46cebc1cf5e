import { assert, describe, it } from "vitest"
import { createClient } from "../../src/client/Client.ts"
import { commitmentOf } from "../../src/client/Commitment.ts"
import { AlteredPlan } from "../../src/client/Errors.ts"
import { accountOf, newKey } from "./support/Parties.ts"
import { planRecord } from "./support/PlanRecords.ts"
import { json, scriptedFetch } from "./support/ScriptedFetch.ts"

const key = newKey()
const audience = "http://service.test"
const account = accountOf(key.address)

const input = {
  project: { chainId: 31337, projectId: "2" },
  account: key.address,
  token: "0x000000000000000000000000000000000000EEEe",
  amount: "5",
  currency: 61_166
}

const committed = async () => {
  const plan = planRecord({ operation: "payout" })
  const ownership = { accountId: account, principalId: `owner:${account}` }
  return { ...plan, commitment: await commitmentOf(plan, ownership) }
}

const asked = async (answer: Response) => {
  const { fetch, sent } = scriptedFetch([answer])
  const client = createClient({ baseUrl: audience, audience, account, signer: key, fetch })
  const prepared = await client.operations.prepare("prepare_payout", input, { idempotencyKey: "once" })
  return { prepared, sent }
}

describe("preparing an operation", () => {
  it("posts the input under the key and gives the checked plan", async () => {
    const plan = await committed()
    const { prepared, sent } = await asked(json(201, plan))
    assert.deepStrictEqual(prepared, { plan, idempotencyKey: "once", replayed: false })
    assert.deepStrictEqual(
      sent.map(({ url }) => url),
      [`${audience}/api/v1/operations/prepare_payout/plans`]
    )
  })

  it("rejects a plan that is not the one committed to", async () => {
    const plan = await committed()
    const answer = json(201, { ...plan, calls: [{ ...plan.calls[0], value: "6" }] })
    const failure = await asked(answer).catch((caught: unknown) => caught)
    assert.instanceOf(failure, AlteredPlan)
  })
})
