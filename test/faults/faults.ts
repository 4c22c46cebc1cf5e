/** `npm run faults -- --matrix | --sequences | --database | --clock | --locks | --pipelines | --bombs | --provider | --bundler | --nodes | --hashes | --guard | --failover | --restore`: what fails around the service, or is done to it, at any size. */
import { CELLS } from "./matrix/Cells.ts"
import { chosen, endWith, options, range, whole } from "./Options.ts"
import { runCampaign, type Wanted } from "./RunCampaign.ts"

const HELP = `Usage: npm run faults -- <campaign> [options]

  --matrix             node faults: 20 faults × 12 methods × 5 phases, each cell a relay that must end right
    --cells <i..j>     only these cells, from i up to, not including, j (default 0..${CELLS})
    --times <n>        each cell so many times (default 1)
  --sequences          random sequences of submissions, faults, blocks and reorganisations against a small model
    --count <n>        how many (default 2000)
    --sessions         of a session's plans, uses, looks and reorganisations (default 1000)
  --database           PostgreSQL restarts, is killed, loses its backends or turns read-only amid submissions
    --count <n>        how often (default 10)
    --sponsored        is killed, turns read-only or is held for long while sponsorships are published
    --sessions         is killed, turns read-only or is held while sessions are prepared, enabled, used and revoked
    --seconds <n>      how long it is held (default 60)
  --clock              processes ten minutes fast and slow: acceptance by the database's clock alone
    --count <n>        how many cases (default 500)
  --locks              one account's row held, a pool of one connection: the others go on
    --seconds <n>      how long (default 60)
  --pipelines          random connections: CONNECT, upgrades, expectations, broken chunks, ends and resets at any moment
    --count <n>        how many (default 3000)
  --bombs              small requests that are much work, to every route by everybody, with a heap of 512 MB
    --every <n>        one of so many (default 4: every kind to every route once, by everybody in turn; 1: by everybody)
  --provider           a prepaid provider tells every lie that it can, to publications and to looks at its bundles
    --times <n>        each so many times (default 1)
  --bundler            a bundler and a paymaster tell every lie that they can, to preparations, sendings and looks
    --times <n>        each so many times (default 1)
  --nodes              a node fails or lies while operations are prepared, sent and proved
    --count <n>        how often (default 400)
    --sessions         while sessions are prepared, enabled, looked at, used and revoked
  --hashes             random operations: their hash here, by the entry point, the bundler and two libraries
    --count <n>        how many (default 10000)
  --guard              random policies and operations of sessions: the guard's verdict, rule and counters, and its twin's
    --count <n>        how many (default 20000)
  --failover           the primary of two PostgreSQL servers is killed under load, its standby promoted behind pgbouncer (as root)
    --count <n>        how often (default 50)
  --restore            a database is lost under load and brought back from a backup of before, while its chains went on (as root)
    --count <n>        how often (default 50)
    --sessions         with wallets' operations and sessions, in the place of sponsorships
  --seed <n>           replays the run of that seed
  --help

Prints seed and counts, and appends one line to RELIABILITY.json. Ends with 0 when every promise held.
`

const asked = options(HELP, {
  matrix: chosen,
  sequences: chosen,
  database: chosen,
  sponsored: chosen,
  sessions: chosen,
  provider: chosen,
  clock: chosen,
  locks: chosen,
  pipelines: chosen,
  bombs: chosen,
  hashes: chosen,
  guard: chosen,
  bundler: chosen,
  nodes: chosen,
  failover: chosen,
  restore: chosen,
  cells: range(0, CELLS),
  times: whole(1, 1, 1_000),
  count: whole(undefined, 1, 1e6),
  every: whole(4, 1, 1e4),
  seconds: whole(60, 1, 600)
})

const wanted = (): Wanted | undefined => {
  const { seed, count, every, times, seconds } = asked
  const [from, to] = asked.cells
  if (asked.matrix) return { name: "matrix", file: "matrix.test.ts", seed, sizes: { from, to, times } }
  if (asked.sequences && asked.sessions)
    return { name: "held-sequences", file: "heldSequences.test.ts", seed, sizes: { count: count ?? 1_000 } }
  if (asked.sequences)
    return { name: "sequences", file: "sequences.test.ts", seed, sizes: { count: count ?? 2_000 } }
  if (asked.database && asked.sponsored) {
    const sizes = { count: count ?? 10, heldSeconds: seconds }
    return { name: "sponsored-database", file: "sponsoredDatabase.test.ts", seed, sizes }
  }
  if (asked.database && asked.sessions) {
    const sizes = { count: count ?? 10, heldSeconds: seconds }
    return { name: "held-database", file: "heldDatabase.test.ts", seed, sizes }
  }
  if (asked.database)
    return { name: "database", file: "postgres.test.ts", seed, sizes: { count: count ?? 10 } }
  if (asked.provider) return { name: "provider-lies", file: "providerLies.test.ts", seed, sizes: { times } }
  if (asked.bundler) return { name: "bundler-lies", file: "bundlerLies.test.ts", seed, sizes: { times } }
  if (asked.nodes && asked.sessions)
    return { name: "held-nodes", file: "heldNodes.test.ts", seed, sizes: { count: count ?? 400 } }
  if (asked.nodes)
    return { name: "operation-nodes", file: "operationNodes.test.ts", seed, sizes: { count: count ?? 400 } }
  if (asked.hashes)
    return {
      name: "operation-hashes",
      file: "operationHashes.test.ts",
      seed,
      sizes: { count: count ?? 10_000 }
    }
  if (asked.guard)
    return { name: "session-guard", file: "guard.test.ts", seed, sizes: { count: count ?? 20_000 } }
  if (asked.failover)
    return { name: "failover", file: "failover.test.ts", seed, sizes: { count: count ?? 50 } }
  if (asked.restore && asked.sessions)
    return { name: "held-restore", file: "heldRestore.test.ts", seed, sizes: { count: count ?? 50 } }
  if (asked.restore) return { name: "restore", file: "restore.test.ts", seed, sizes: { count: count ?? 50 } }
  if (asked.clock) return { name: "clock", file: "clock.test.ts", seed, sizes: { count: count ?? 500 } }
  if (asked.pipelines)
    return { name: "pipelines", file: "pipelines.test.ts", seed, sizes: { count: count ?? 3_000 } }
  if (asked.bombs) return { name: "bombs", file: "bombs.test.ts", seed, sizes: { every } }
  return asked.locks ? { name: "locks", file: "locks.test.ts", seed, sizes: { seconds } } : undefined
}

process.exit(await runCampaign(wanted() ?? endWith({ status: 2, text: HELP })))
