/** Kills the service again and again amid submissions and checks that nothing was sent twice, lost or invented. */
import { parseArgs } from "node:util"
import { runCampaign } from "./crash/Campaign.ts"
import { reportAndExit } from "./VerdictReport.ts"

const HELP = `npm run crash -- [--kills 200] [--seed N] [--replicas 7] [--clients 5]

Kills service processes at every failpoint of src/values/Failpoint.ts in turn, and at moments from outside, amid creations,
submissions, refreshes and recovery over one PostgreSQL and one local chain behind a recording proxy. Checks I1 to I10 and appends
a line to RELIABILITY.json; ends with 1 when anything is broken.

  --kills     how many processes die (soak size: 10000)
  --seed      chooses what is prepared, who asks, where and how each process dies; printed, random when absent
  --replicas  processes that serve at once, more than clients, who each end one at a time
  --clients   wallets that act at once

A seed repeats all choices of each client. What it cannot repeat is the interleaving: which of two clients gets the next
turn of the plan of deaths, which process answers first, and what a kill from outside finds.
`

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "200" },
    seed: { type: "string" },
    replicas: { type: "string", default: "7" },
    clients: { type: "string", default: "5" },
    help: { type: "boolean", default: false }
  }
})

if (values.help) {
  process.stdout.write(HELP)
  process.exit(0)
}

const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
const options = {
  seed,
  kills: Number(values.kills),
  replicas: Number(values.replicas),
  clients: Number(values.clients),
  say: (line: string) => console.log(line)
}
console.log(`seed ${seed}: ${options.kills} kills, ${options.replicas} replicas, ${options.clients} clients`)
reportAndExit(await runCampaign(options))
