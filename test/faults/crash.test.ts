import { assert, it } from "vitest"
import { FAILPOINTS } from "../../src/values/Failpoint.ts"
import { runCampaign } from "./crash/Campaign.ts"

it("a process that dies at any failpoint leaves nothing sent twice, lost or invented", {
  timeout: 900_000
}, async () => {
  const options = {
    kills: FAILPOINTS.length,
    seed: 20_261_121,
    replicas: 5,
    clients: 3,
    failpoints: FAILPOINTS
  }
  const { verdicts, kills } = await runCampaign({ ...options, say: () => {} })
  assert.deepStrictEqual(
    verdicts.filter(({ violations }) => violations.length > 0),
    []
  )
  assert.deepStrictEqual(
    FAILPOINTS.filter(at => kills[at] === undefined),
    []
  )
})
