/** The claim's verdicts are one list, for the database and for the service. */
import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { claimVerdicts } from "../../scripts/schema/ClaimVerdicts.ts"
import { CLAIM_REFUSALS, OPERATION_REFUSALS, SPONSORSHIP_REFUSALS } from "../../src/dispatch/ClaimVerdicts.ts"
import { migratedDatabase } from "../support/MigratedDatabase.ts"
import { sqlOn } from "../support/Sql.ts"

const FUNCTIONS = "migrations/functions"

describe("the verdicts of a claim", () => {
  it.each(Object.entries(claimVerdicts))("%s is as its list says; npm run schema writes it", (path, text) => {
    assert.strictEqual(readFileSync(path, "utf8"), text)
  })

  it("are all given by some function, and no other is", () => {
    const texts = readdirSync(FUNCTIONS).map(name => readFileSync(`${FUNCTIONS}/${name}`, "utf8"))
    const given = texts.flatMap(text => [...text.matchAll(/refuse_claim\('(\w+)'/g)].map(([, code]) => code))
    assert.sameMembers(
      [...new Set(given)],
      [...CLAIM_REFUSALS, ...SPONSORSHIP_REFUSALS, ...OPERATION_REFUSALS]
    )
  })

  it("are checked by the database", async () => {
    const database = await migratedDatabase()
    const refused = await sqlOn(database.url, "SELECT refuse_claim('UNHEARD_OF')").catch(
      failure => failure.code
    )
    assert.strictEqual(refused, "P0004")
    await database.drop()
  })
})
