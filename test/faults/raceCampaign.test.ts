import { assert, it } from "vitest"
import { RACES, runRaces } from "./races/Campaign.ts"

it("races over three replicas have one winner where there may be only one", {
  timeout: 300_000
}, async () => {
  const options = { attempts: 84, inOrder: true, seed: 20_261_121, replicas: 3, atOnce: 12, races: RACES }
  const { verdicts, counts } = await runRaces({ ...options, say: () => {} })
  assert.deepStrictEqual(
    verdicts.filter(({ violations }) => violations.length > 0),
    []
  )
  assert.sameMembers(Object.keys(counts), Object.keys(RACES))
})
