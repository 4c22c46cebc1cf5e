/** `npm run reorgs -- --count N [--seed S] [--depth 1..64]`: reorganisations of a real local chain under relayed plans. */
import { parseArgs } from "node:util"
import { freshSeed, numberFrom, rangeFrom, runCampaign } from "./RunCampaign.ts"

const HELP = `Usage: npm run reorgs -- [options]

  --count <n>      reorganisations (default 50)
  --depth <i..j>   blocks that they replace, both ends included (default 1..64)
  --seed <n>       replays the run of that seed
  --help

Each takes blocks back under plans of three dependent steps, with and without putting the transactions into other blocks or
another order, and checks every step against the chain. Prints seed and counts, and appends one line to RELIABILITY.json.
`

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "50" },
    depth: { type: "string", default: "1..64" },
    seed: { type: "string" },
    help: { type: "boolean", default: false }
  }
})

if (values.help) {
  process.stdout.write(HELP)
  process.exit(0)
}
const seed = values.seed === undefined ? freshSeed() : numberFrom("seed", values.seed, 0, 2 ** 31)
const [shallowest, deepest] = rangeFrom("depth", values.depth, 64)
const count = numberFrom("count", values.count, 1, 1e6)
process.exit(
  await runCampaign({
    name: "reorgs",
    file: "reorgs.test.ts",
    seed,
    sizes: { count, shallowest: Math.max(1, shallowest), deepest }
  })
)
