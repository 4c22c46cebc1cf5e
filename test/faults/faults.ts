/** `npm run faults -- --matrix | --database | --clock | --locks`: what happens around the service when it fails, at any size. */
import { parseArgs } from "node:util"
import { CELLS } from "./matrix/Cells.ts"
import { freshSeed, numberFrom, rangeFrom, runCampaign, type Wanted } from "./RunCampaign.ts"

const HELP = `Usage: npm run faults -- <campaign> [options]

  --matrix             node faults: 20 faults × 12 methods × 5 phases, each cell a relay that must end right
    --cells <i..j>     only these cells, from i up to, not including, j (default 0..${CELLS})
    --times <n>        each cell so many times (default 1)
  --database           PostgreSQL restarts, is killed, loses its backends or turns read-only amid submissions
    --count <n>        how often (default 10)
  --clock              processes ten minutes fast and slow: acceptance by the database's clock alone
    --count <n>        how many cases (default 500)
  --locks              one account's row held, a pool of one connection: the others go on
    --seconds <n>      how long (default 60)
  --seed <n>           replays the run of that seed
  --help

Prints seed and counts, and appends one line to RELIABILITY.json. Ends with 0 when every promise held.
`

const { values } = parseArgs({
  options: {
    matrix: { type: "boolean", default: false },
    database: { type: "boolean", default: false },
    clock: { type: "boolean", default: false },
    locks: { type: "boolean", default: false },
    cells: { type: "string", default: `0..${CELLS}` },
    times: { type: "string", default: "1" },
    count: { type: "string" },
    seconds: { type: "string", default: "60" },
    seed: { type: "string" },
    help: { type: "boolean", default: false }
  }
})

const seed = values.seed === undefined ? freshSeed() : numberFrom("seed", values.seed, 0, 2 ** 31)
const count = (usual: number) => numberFrom("count", values.count ?? String(usual), 1, 1e6)

const wanted = (): Wanted | undefined => {
  if (values.matrix) {
    const [from, to] = rangeFrom("cells", values.cells, CELLS)
    const times = numberFrom("times", values.times, 1, 1_000)
    return { name: "matrix", file: "matrix.test.ts", seed, sizes: { from, to, times } }
  }
  if (values.database)
    return { name: "database", file: "postgres.test.ts", seed, sizes: { count: count(10) } }
  if (values.clock) return { name: "clock", file: "clock.test.ts", seed, sizes: { count: count(500) } }
  if (!values.locks) return undefined
  const seconds = numberFrom("seconds", values.seconds, 1, 600)
  return { name: "locks", file: "locks.test.ts", seed, sizes: { seconds } }
}

const chosen = values.help ? undefined : wanted()
if (chosen === undefined) {
  process.stdout.write(HELP)
  process.exit(values.help ? 0 : 2)
}
process.exit(await runCampaign(chosen))
