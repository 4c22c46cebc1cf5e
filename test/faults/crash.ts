/** Kills the service again and again amid submissions and checks that nothing was sent twice, lost or invented. */
import { FAILPOINTS } from "../../src/values/Failpoint.ts"
import { OPERATION_FAILPOINTS, SESSION_FAILPOINTS, SPONSORED_FAILPOINTS } from "./crash/Blows.ts"
import { runCampaign } from "./crash/Campaign.ts"
import { chosen, options, whole } from "./Options.ts"
import { reportAndExit } from "./VerdictReport.ts"

const HELP = `npm run crash -- [--kills 200] [--seed N] [--replicas 7] [--clients 5] [--sponsored | --operations | --sessions]

Kills service processes at every failpoint of src/values/Failpoint.ts in turn, and at moments from outside, amid creations,
submissions, refreshes, recovery, sponsorships, user operations and sessions over one PostgreSQL, one local chain, one provider and one
bundler, each behind a proxy that keeps what left. Checks I1 to I10, E1, E3 to E10 and E20 and appends a line to RELIABILITY.json; ends with 1 when anything is broken.

  --kills     how many processes die (soak size: 10000)
  --sponsored only amid sponsorships, whose requests a provider executes (CI size: 160 kills, soak size: 5000)
  --operations only amid user operations, which a bundler carries (CI size: 160 kills, soak size: 5000)
  --sessions  only amid sessions and user operations, most of which are sessions' (CI size: 160 kills, soak size: 5000)
  --seed      chooses what is prepared, who asks, where and how each process dies; printed, random when absent
  --replicas  processes that serve at once, more than clients, who each end one at a time
  --clients   wallets that act at once

A seed repeats all choices of each client. What it cannot repeat is the interleaving: which of two clients gets the next
turn of the plan of deaths, which process answers first, and what a kill from outside finds.
`

const sizes = options(HELP, {
  kills: whole(200, 1, 1e7),
  replicas: whole(7, 2, 64),
  clients: whole(5, 1, 63),
  sponsored: chosen,
  operations: chosen,
  sessions: chosen
})
const { seed, kills, replicas, clients, sponsored, operations, sessions } = sizes

/** `review.decided` is a page's, and is held to its promise where that page is tested. */
const EVERYWHERE = FAILPOINTS.filter(at => at !== "review.decided")

const chosenFailpoints = () => {
  if (sponsored) return SPONSORED_FAILPOINTS
  if (operations) return OPERATION_FAILPOINTS
  return sessions ? [...SESSION_FAILPOINTS, ...OPERATION_FAILPOINTS] : EVERYWHERE
}

console.log(`seed ${seed}: ${kills} kills, ${replicas} replicas, ${clients} clients`)
reportAndExit(await runCampaign({ ...sizes, failpoints: chosenFailpoints(), say: line => console.log(line) }))
