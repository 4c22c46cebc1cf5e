import { assert, it } from "vitest"
import type { Failpoint } from "../../src/values/Failpoint.ts"
import { SESSION_FAILPOINTS } from "./crash/Blows.ts"
import { runCampaign } from "./crash/Campaign.ts"

/** Those of sessions, and the moments of a user operation at which most is at stake; all of them in `npm run crash -- --sessions`. */
const AT_STAKE: ReadonlyArray<Failpoint> = [
  ...SESSION_FAILPOINTS,
  "operation.claimed",
  "operation.sent",
  "operation.answered",
  "operation.proved"
]

it("a process that dies at any failpoint of a session or of a user operation leaves nothing sent twice, lost or invented", {
  timeout: 600_000
}, async () => {
  const { verdicts, kills } = await runCampaign({
    kills: AT_STAKE.length,
    seed: 20_261_125,
    replicas: 4,
    clients: 2,
    failpoints: AT_STAKE,
    say: () => {}
  })
  assert.deepStrictEqual(
    verdicts.filter(({ violations }) => violations.length > 0),
    []
  )
  assert.deepStrictEqual(
    AT_STAKE.filter(at => kills[at] === undefined),
    []
  )
})
