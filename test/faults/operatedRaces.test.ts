import { assert, it } from "vitest"
import { runRaces } from "./races/Campaign.ts"
import { OPERATION_KINDS } from "./races/OperationKinds.ts"

it("races of user operations over three replicas have one winner where there may be only one", {
  timeout: 300_000
}, async () => {
  const options = { attempts: 24, seed: 20_261_125, replicas: 3, atOnce: 4, races: OPERATION_KINDS }
  const { verdicts, counts } = await runRaces({ ...options, say: () => {} })
  assert.deepStrictEqual(
    verdicts.filter(({ violations }) => violations.length > 0),
    []
  )
  assert.sameMembers(Object.keys(counts), Object.keys(OPERATION_KINDS))
})
