import { assert, it } from "vitest"
import { RELAYED } from "./crash/Blows.ts"
import { runCampaign } from "./crash/Campaign.ts"

it("a process that dies at any failpoint leaves nothing sent twice, lost or invented", {
  timeout: 900_000
}, async () => {
  const options = { kills: RELAYED.length, seed: 20_261_121, replicas: 5, clients: 3 }
  const { verdicts, kills } = await runCampaign({ ...options, say: () => {} })
  assert.deepStrictEqual(
    verdicts.filter(({ violations }) => violations.length > 0),
    []
  )
  assert.deepStrictEqual(
    RELAYED.filter(at => kills[at] === undefined),
    []
  )
})
