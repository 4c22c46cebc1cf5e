/** Replaces replicas under load and checks that nothing that was taken up is left unanswered or done twice. */
import { runDeploys } from "./deploys/Campaign.ts"
import { options, text, whole } from "./Options.ts"
import { reportAndExit } from "./VerdictReport.ts"

const HELP = `npm run deploys -- [--handovers 20] [--replicas 3] [--clients 8] [--from <commit>] [--seed N]

Replaces one replica after the other while clients relay: by SIGTERM, after which a process must answer all that it took up and
end with 0, or by SIGKILL. A request that got no answer is sent to another process as it was: only one that had not been taken up
is accepted there. Appends a line to RELIABILITY.json; ends with 1 when anything is broken.

  --handovers  how many (soak size: 1000)
  --from       begins with the build of this commit, on the database that it makes; one replica after the other becomes today's, then that
               one's again, and so on: an upgrade and its rollback, of which each build serves what the other began
  --seed       chooses who is asked, and how and when each process ends; printed, random when absent
  --replicas   processes that serve at once
  --clients    wallets that act at once
`

const sizes = options(HELP, {
  handovers: whole(20, 1, 1e6),
  replicas: whole(3, 1, 64),
  clients: whole(8, 1, 1_000),
  from: text
})
const { seed, handovers, replicas, clients } = sizes
console.log(`seed ${seed}: ${handovers} hand-overs, ${replicas} replicas, ${clients} clients`)
reportAndExit(await runDeploys({ ...sizes, say: line => console.log(line) }))
