import { assert, it } from "vitest"
import { SESSION_FAILPOINTS } from "./crash/Blows.ts"
import { runCampaign } from "./crash/Campaign.ts"

it("a process that dies at any failpoint of a session leaves one session, one plan and one use, and its wallet free in time", {
  timeout: 600_000
}, async () => {
  const { verdicts, kills } = await runCampaign({
    kills: SESSION_FAILPOINTS.length,
    seed: 20_261_129,
    replicas: 4,
    clients: 2,
    failpoints: SESSION_FAILPOINTS,
    say: () => {}
  })
  assert.deepStrictEqual(
    verdicts.filter(({ violations }) => violations.length > 0),
    []
  )
  assert.deepStrictEqual(
    SESSION_FAILPOINTS.filter(at => kills[at] === undefined),
    []
  )
})
