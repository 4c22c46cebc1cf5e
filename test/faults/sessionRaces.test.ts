import { assert, it } from "vitest"
import { RACES_OF_SESSIONS, runRaces } from "./races/Campaign.ts"

it("races of sessions and their operations over three replicas have one winner where there may be only one", {
  timeout: 300_000
}, async () => {
  const races = RACES_OF_SESSIONS
  const attempts = Object.keys(races).length
  const options = { attempts, seed: 20_261_126, replicas: 3, atOnce: 4, races, inOrder: true }
  const { verdicts, counts } = await runRaces({ ...options, say: () => {} })
  assert.deepStrictEqual(
    verdicts.filter(({ violations }) => violations.length > 0),
    []
  )
  assert.sameMembers(Object.keys(counts), Object.keys(RACES_OF_SESSIONS))
})
