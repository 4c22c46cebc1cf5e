/** `npm run reorgs -- [--count N] [--seed S] [--depth 1..64] [--sponsored | --operations | --sessions]`: reorganisations of a real local chain under relayed plans, published requests, user operations or sessions. */
import { chosen, options, range, whole } from "./Options.ts"
import { runCampaign } from "./RunCampaign.ts"

const HELP = `Usage: npm run reorgs -- [options]

  --count <n>      reorganisations (default 50)
  --depth <i..j>   blocks that they replace, both ends included (default 1..64)
  --sponsored      under published requests, which are executed again elsewhere or in another shape,
                   and under the payments of a third of them (default 60)
  --operations     under user operations, which are carried out again elsewhere or in another shape (default 60)
  --sessions       under sessions' enabling, use and revocation, which happen again elsewhere or in another shape (default 60)
  --seed <n>       replays the run of that seed
  --help

Each takes blocks back under plans of three dependent steps, with and without putting the transactions into other blocks or
another order, and checks every step against the chain. Prints seed and counts, and appends one line to RELIABILITY.json.
`

const { seed, count, depth, sponsored, operations, sessions } = options(HELP, {
  count: whole(undefined, 1, 1e6),
  depth: range(1, 64),
  sponsored: chosen,
  operations: chosen,
  sessions: chosen
})
const [shallowest, deepest] = depth
const bounds = { shallowest, deepest }
const others = sponsored
  ? { name: "sponsored-reorgs", file: "sponsoredReorgs.test.ts", sizes: { count: count ?? 60, ...bounds } }
  : { name: "reorgs", file: "reorgs.test.ts", sizes: { count: count ?? 50, ...bounds } }
const carried = operations
  ? { name: "operated-reorgs", file: "operatedReorgs.test.ts", sizes: { count: count ?? 60, ...bounds } }
  : others
const wanted = sessions
  ? { name: "held-reorgs", file: "heldReorgs.test.ts", sizes: { count: count ?? 60, ...bounds } }
  : carried
process.exit(await runCampaign({ ...wanted, seed }))
