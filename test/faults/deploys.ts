/** Replaces replicas under load and checks that nothing that was taken up is left unanswered or done twice. */
import { parseArgs } from "node:util"
import { runDeploys } from "./deploys/Campaign.ts"
import { reportAndExit } from "./VerdictReport.ts"

const HELP = `npm run deploys -- [--handovers 20] [--replicas 3] [--clients 8] [--seed N]

Replaces one replica after the other while clients relay: by SIGTERM, after which a process must answer all that it took up and
end with 0, or by SIGKILL. A request that got no answer is sent to another process as it was: only one that had not been taken up
is accepted there. Appends a line to RELIABILITY.json; ends with 1 when anything is broken.

  --handovers  how many (soak size: 1000)
  --seed       chooses who is asked, and how and when each process ends; printed, random when absent
  --replicas   processes that serve at once
  --clients    wallets that act at once
`

const { values } = parseArgs({
  options: {
    handovers: { type: "string", default: "20" },
    seed: { type: "string" },
    replicas: { type: "string", default: "3" },
    clients: { type: "string", default: "8" },
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
  handovers: Number(values.handovers),
  replicas: Number(values.replicas),
  clients: Number(values.clients),
  say: (line: string) => console.log(line)
}
console.log(
  `seed ${seed}: ${options.handovers} hand-overs, ${options.replicas} replicas, ${options.clients} clients`
)
reportAndExit(await runDeploys(options))
