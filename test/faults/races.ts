/** Races requests over several replicas and checks that each race has one winner where there may be only one. */
import { parseArgs } from "node:util"
import { runRaces } from "./races/Campaign.ts"
import { KINDS } from "./races/Kinds.ts"
import { reportAndExit } from "./VerdictReport.ts"

const HELP = `npm run races -- [--attempts 5000] [--replicas 3] [--seed N] [--at-once 24]

Races several requests at once over replicas with one PostgreSQL and one node that answers at once: ${Object.keys(KINDS).join(", ")}.
Each race is checked as it ends, the invariants over all of them at the end. Appends a line to RELIABILITY.json; ends with 1
when anything is broken.

  --attempts  how many races (soak size: 1000000)
  --seed      chooses each lane's races, keys and order of replicas; printed, random when absent
  --replicas  processes that serve
  --at-once   races that go on at once, each over an account of its own

A seed repeats what each lane asks and of whom. What it cannot repeat is which of the requests arrives first.
`

const { values } = parseArgs({
  options: {
    attempts: { type: "string", default: "5000" },
    seed: { type: "string" },
    replicas: { type: "string", default: "3" },
    "at-once": { type: "string", default: "24" },
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
  attempts: Number(values.attempts),
  replicas: Number(values.replicas),
  atOnce: Number(values["at-once"]),
  say: (line: string) => console.log(line)
}
console.log(
  `seed ${seed}: ${options.attempts} races, ${options.replicas} replicas, ${options.atOnce} at once`
)
reportAndExit(await runRaces(options))
