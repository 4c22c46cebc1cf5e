/** What the record of a sponsorship that cannot be published any more asks for. */
import { afterAll, assert, describe, it } from "vitest"
import type { Plan } from "../../src/plans/Plan.ts"
import type { Sponsorship } from "../../src/sponsorship/Sponsorship.ts"
import { payment, planned } from "../support/PlannedCalls.ts"
import { newPayer } from "../support/RelayBench.ts"
import { type Party, signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { askPublication, published, signAll } from "./support/Signing.ts"
import { sponsorshipFor, startSponsoringBench } from "./support/Sponsored.ts"

const bench = await startSponsoringBench()
const { service } = bench

afterAll(() => bench.stop())

const shown = async (owner: Party, { id }: Sponsorship): Promise<Sponsorship> =>
  (await signedFetch(service, owner, "GET", `/api/v1/sponsorships/${id}`)).json()

const refusalOf = async (owner: Party, sponsorship: Sponsorship) => {
  const signatures = await signAll(owner.key, sponsorship)
  return (await (await askPublication(service, owner, sponsorship, { signatures })).json()).code
}

const plannedTwice = async () => {
  const owner = await newPayer(bench)
  const pay = payment(bench, owner.key.address)
  return { owner, plan: await planned(bench, owner, { calls: [pay, pay] }) }
}

const end = ({ id }: Plan) =>
  sqlOn(service.databaseUrl, "UPDATE plans SET expires_at = unix_millis() WHERE id = $1", [id])

describe("a prepared sponsorship", () => {
  it("asks for nothing once one of its steps has left by another", async () => {
    const { owner, plan } = await plannedTwice()
    const both = await sponsorshipFor(service, owner, plan)
    assert.deepStrictEqual((await shown(owner, both)).nextAction, { kind: "sign" })
    await published(service, owner, await sponsorshipFor(service, owner, plan, { stepIndexes: [1] }))
    const { state, nextAction } = await shown(owner, both)
    assert.deepStrictEqual([state, nextAction.kind], ["prepared", "none"])
    assert.include(nextAction.reason, "their plan says which")
    assert.strictEqual(await refusalOf(owner, both), "STEP_ALREADY_BOUND")
  })

  it("expires with its plan where that is ended before its time", async () => {
    const { owner, plan } = await plannedTwice()
    const sponsorship = await sponsorshipFor(service, owner, plan)
    await end(plan)
    const { state, nextAction, publicationExpiresAt } = await shown(owner, sponsorship)
    assert.deepStrictEqual([state, nextAction.kind], ["expired", "prepare-again"])
    assert.strictEqual(publicationExpiresAt, sponsorship.publicationExpiresAt)
    assert.strictEqual(await refusalOf(owner, sponsorship), "SPONSORSHIP_EXPIRED")
  })
})
