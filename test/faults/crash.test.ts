import { assert, it } from "vitest"
import type { Failpoint } from "../../src/values/Failpoint.ts"
import { OTHER_FAILPOINTS } from "./crash/Blows.ts"
import { runCampaign } from "./crash/Campaign.ts"

/** The moments of a sponsorship at which most is at stake; all of them in `npm run crash`. */
const AT_STAKE: ReadonlyArray<Failpoint> = [
  "sponsor.claimed",
  "sponsor.posted",
  "sponsor.answered",
  "sponsor.proved"
]

const FAILPOINTS = [...OTHER_FAILPOINTS, ...AT_STAKE]

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
