/** A provider's answer that the database cannot take at first is stored once it can. */
import { Redacted } from "effect"
import { afterAll, assert, describe, it } from "vitest"
import { planned } from "../support/PlannedCalls.ts"
import { assertProblem } from "../support/Problem.ts"
import { newPayer } from "../support/RelayBench.ts"
import { signedFetch } from "../support/SignedFetch.ts"
import { sqlOn } from "../support/Sql.ts"
import { until } from "../support/Until.ts"
import { startScriptedProvider } from "./support/ScriptedProvider.ts"
import { askPublication, signAll } from "./support/Signing.ts"
import { sponsorshipFor, startSponsoringBench } from "./support/Sponsored.ts"

const provider = await startScriptedProvider()
const bench = await startSponsoringBench({ providerUrl: Redacted.make(provider.url) })
const { service } = bench

afterAll(async () => {
  await bench.stop()
  await provider.stop()
})

const REFUSING = `CREATE FUNCTION refuse_settling() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = '53100'; END $$;
  CREATE TRIGGER refusing BEFORE UPDATE ON publications EXECUTE FUNCTION refuse_settling()`

describe("an answer that could not be stored in time", () => {
  it("is told to be uncertain, and is kept until the database takes it", async () => {
    const owner = await newPayer(bench)
    const sponsorship = await sponsorshipFor(service, owner, await planned(bench, owner))
    const signatures = await signAll(owner.key, sponsorship)
    const state = async () => {
      const answer = await signedFetch(service, owner, "GET", `/api/v1/sponsorships/${sponsorship.id}`)
      return String((await answer.json()).state)
    }
    await sqlOn(service.databaseUrl, REFUSING)
    await assertProblem(
      await askPublication(service, owner, sponsorship, { signatures }),
      "DISPATCH_PERSISTENCE_UNCERTAIN"
    )
    assert.strictEqual(await state(), "submitting")
    await sqlOn(service.databaseUrl, "DROP TRIGGER refusing ON publications")
    await until(state, told => told === "quote_unverified")
  })
})
