import { readFileSync } from "node:fs"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import { contractFunctions } from "../../scripts/schema/ContractFunctions.ts"

describe("the types of contracts' functions", () => {
  it("are as the pinned ABIs say; npm run schema writes them", async () => {
    const written = Object.entries(await Effect.runPromise(contractFunctions))
    assert.lengthOf(written, 1)
    for (const [path, text] of written) assert.strictEqual(readFileSync(path, "utf8"), text)
  })
})
