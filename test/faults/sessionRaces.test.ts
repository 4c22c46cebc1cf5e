import { assert, it } from "vitest"
import { runRaces } from "./races/Campaign.ts"
import { SESSION_KINDS } from "./races/SessionKinds.ts"

it("races of sessions' operations over three replicas have one winner where there may be only one", {
  timeout: 300_000
}, async () => {
  const options = { attempts: 16, seed: 20_261_126, replicas: 3, atOnce: 4, races: SESSION_KINDS }
  const { verdicts, counts } = await runRaces({ ...options, say: () => {} })
  assert.deepStrictEqual(
    verdicts.filter(({ violations }) => violations.length > 0),
    []
  )
  assert.sameMembers(Object.keys(counts), Object.keys(SESSION_KINDS))
})
