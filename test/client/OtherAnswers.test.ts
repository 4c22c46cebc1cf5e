/** A false service answers for another wallet, plan, step or session than the one that was asked about. */
import { assert, describe, it } from "vitest"
import { createClient } from "../../src/client/Client.ts"
import { commitmentOf } from "../../src/client/Commitment.ts"
import { AlteredPlan } from "../../src/client/Errors.ts"
import { accountOf, newKey } from "./support/Parties.ts"
import { plannedWallet, planRecord } from "./support/PlanRecords.ts"
import { json, scriptedFetch } from "./support/ScriptedFetch.ts"

const AUDIENCE = "http://service.test"
const key = newKey()
const account = accountOf(key.address)

const answering = (answer: unknown) => {
  const { fetch } = scriptedFetch([json(201, answer)])
  return createClient({ baseUrl: AUDIENCE, audience: AUDIENCE, account, signer: key, fetch })
}

const isAltered = async (work: Promise<unknown>) =>
  assert.instanceOf(await work.catch((caught: unknown) => caught), AlteredPlan)

describe("what is prepared for a wallet", () => {
  const smartAccount = plannedWallet(key.address)
  const request = { operation: "contract_calls", input: {} }

  it("is a plan of that very wallet", async () => {
    const own = { accountId: account, principalId: `owner:${account}` }
    const unsealed = planRecord({ account: key.address, smartAccount })
    const plan = { ...unsealed, commitment: await commitmentOf(unsealed, own) }
    const { bindingId } = smartAccount
    const prepared = await answering(plan).smartAccounts.createPlan(bindingId, request)
    assert.strictEqual(prepared.plan.id, plan.id)
    await isAltered(answering(plan).smartAccounts.createPlan(`0x${"b2".repeat(32)}`, request))
    const ofNone = planRecord({ account: key.address })
    const sealed = { ...ofNone, commitment: await commitmentOf(ofNone, own) }
    await isAltered(answering(sealed).smartAccounts.createPlan(bindingId, request))
  })

  it("is an operation for those steps of that plan, signed by whom it was asked for", async () => {
    const { id } = planRecord()
    const prepare = (answer: object, asked = {}) =>
      answering({ planId: id, stepIndexes: [0], ...answer }).userOperations.prepare(id, asked)
    const session = { id: "s" }
    await prepare({})
    await prepare({ stepIndexes: [1, 2] }, { stepIndexes: [1, 2] })
    await prepare({ session }, { sessionId: "s" })
    await isAltered(prepare({ planId: "another" }))
    await isAltered(prepare({ stepIndexes: [0, 1] }))
    await isAltered(prepare({}, { stepIndexes: [1] }))
    await isAltered(prepare({ session }))
    await isAltered(prepare({}, { sessionId: "s" }))
    await isAltered(prepare({ session }, { sessionId: "t" }))
  })
})
