/** `npm run reorgs -- --count N [--seed S] [--depth 1..64]`: reorganisations of a real local chain under relayed plans. */
import { options, range, whole } from "./Options.ts"
import { runCampaign } from "./RunCampaign.ts"

const HELP = `Usage: npm run reorgs -- [options]

  --count <n>      reorganisations (default 50)
  --depth <i..j>   blocks that they replace, both ends included (default 1..64)
  --seed <n>       replays the run of that seed
  --help

Each takes blocks back under plans of three dependent steps, with and without putting the transactions into other blocks or
another order, and checks every step against the chain. Prints seed and counts, and appends one line to RELIABILITY.json.
`

const { seed, count, depth } = options(HELP, { count: whole(50, 1, 1e6), depth: range(1, 64) })
const [shallowest, deepest] = depth
process.exit(
  await runCampaign({ name: "reorgs", file: "reorgs.test.ts", seed, sizes: { count, shallowest, deepest } })
)
