/** Whether the service is as quick after years as it was on its first day: `npm run bench growth [-- --scale 0.1] [--churn 60] [--quick] [--workers]`. */
import { cpus, totalmem } from "node:os"
import { writeTable } from "../scripts/scaling/Tables.ts"
import { amountsAt, fill } from "./growthFill.ts"
import { makeRecords } from "./growthInstant.ts"
import {
  KINDS,
  type KindName,
  LISTED,
  type Load,
  PAGE,
  seedPlans,
  sendAll,
  type Taken
} from "./growthLoad.ts"
import type { Look } from "./growthPages.ts"
import { makePatterns } from "./growthPatterns.ts"
import { type Counts, fillRecords } from "./growthRecords.ts"
import { resetStatistics, sizesOf } from "./growthSizes.ts"
import { type Compared, loadTable, lookTable, sizeTable } from "./growthTable.ts"
import { alternating, measureLooks, type Side, type Urls, workerTables } from "./growthWorkers.ts"
import { accounting } from "./relayAccounting.ts"
import { roundTrips } from "./relayTrips.ts"
import { type BenchServer, migrated, seedAccounts, startPostgres } from "./support/Database.ts"
import { countingBars, say } from "./support/Figures.ts"
import { startBench } from "./support/Processes.ts"
import { startLocalChain, withService } from "./support/RelayWorld.ts"
import { type BenchAccount, benchAccounts } from "./support/Requests.ts"

const ACCOUNTS = 500
const NODE_PORT = 18_922
/** Of the machine's memory for PostgreSQL, as is recommended. */
const MEMORY_PART = 4
const CHAINS: Readonly<Record<Side, number>> = { empty: 1, filled: 10 }
const DOCUMENT = "docs/operating/capacity.md"
const NO_RECORDS: Counts = { sponsorships: 0, operations: 0, sessions: 0 }

interface World {
  readonly urls: Urls
  readonly loads: Readonly<Record<Side, Load>>
  readonly accounts: ReadonlyArray<BenchAccount>
}

interface Pace {
  readonly rounds: number
  readonly seconds: number
  readonly churnMinutes: number
}

const settings = {
  SERVICE_ACCOUNT_CAP: "1000000000",
  ...Object.fromEntries(
    Object.values(CHAINS).map(chainId => [
      `SERVICE_RPC_${chainId}`,
      `http://127.0.0.1:${NODE_PORT}/${chainId}`
    ])
  )
}

const serverOf = ({ urls }: World, side: Side): BenchServer => ({
  database: async () => urls[side],
  stop: async () => {}
})

const serving = (world: World, side: Side, use: () => Promise<void>): Promise<void> =>
  withService(serverOf(world, side), side, world.accounts, settings, use)

const isKind = (name: string): name is KindName => name in KINDS

const kinds: ReadonlyArray<KindName> = Object.keys(KINDS).filter(isKind)

const compared = <Name extends string, A>(names: ReadonlyArray<Name>) =>
  new Map(names.map(name => [name, { empty: [] as A[], filled: [] as A[] }]))

const measureLoads = async (world: World, { rounds, seconds }: Pace) => {
  const found = compared<KindName, Taken>(kinds)
  await alternating(rounds, (side, round) =>
    serving(world, side, async () => {
      if (round === 0) await seedPlans(world.loads[side])
      await sendAll(world.loads[side], "P1 signed read", 1)
      for (const name of kinds) {
        const taken = await sendAll(world.loads[side], name, seconds)
        say(
          `  round ${round + 1}, ${side}, ${name}: ${taken.perSecond.toFixed(0)}/s, ${(taken.service + taken.database).toFixed(2)} ms each`
        )
        found.get(name)?.[side].push(taken)
      }
    })
  )
  return found
}

/** P4 and P5, whose bars are counts. */
const countAll = async (world: World, scale: number): Promise<string> => {
  const chain = await startLocalChain()
  try {
    const server = serverOf(world, "filled")
    const trips = await countingBars(() => roundTrips(server, chain))
    const accounted = await countingBars(() => accounting(server, chain, scale < 1))
    return `On the filled database: P4, what became of each submission: ${accounted}; P5, round trips to the node: ${trips}.`
  } finally {
    await chain.stop()
  }
}

/** Everything in turn, as long as that. */
const churn = (world: World, { churnMinutes, seconds }: Pace) =>
  serving(world, "filled", async () => {
    const ends = performance.now() + churnMinutes * 60_000
    while (performance.now() < ends)
      for (const name of kinds) await sendAll(world.loads.filled, name, seconds)
  })

const made = async (postgres: BenchServer, scale: number): Promise<World> => {
  const accounts = benchAccounts(ACCOUNTS)
  const [first, ...others] = accounts.toReversed()
  if (first === undefined) throw new Error("no accounts")
  const urls = { empty: await postgres.database("unfilled"), filled: await postgres.database("filled") }
  for (const url of Object.values(urls)) await migrated(url)
  await seedAccounts(urls.empty, accounts)
  const server = { ...postgres, database: async () => urls.filled }
  const amounts = amountsAt(scale)
  const records = await makeRecords(postgres, first)
  await fill(urls.filled, amounts, await makePatterns(server, "filled", [first, ...others]))
  const newest = { accountIds: accounts.slice(0, LISTED).map(({ id }) => id), each: PAGE }
  await fillRecords(urls.empty, records, NO_RECORDS, newest)
  await fillRecords(urls.filled, records, amounts, newest)
  const load = (side: Side): Load => ({ accounts, chainId: CHAINS[side], submitted: 0 })
  return { urls, accounts, loads: { empty: load("empty"), filled: load("filled") } }
}

/** And the machine. */
const amountsText = (scale: number): string => {
  const counts = Object.entries(amountsAt(scale)).map(
    ([name, count]) => `${count.toLocaleString("en")} ${name}`
  )
  const gibibytes = (totalmem() / 2 ** 30).toFixed(0)
  return `Scale ${scale}: ${counts.join(", ")}, on ${cpus().length} cores of ${cpus()[0]?.model ?? "an unknown kind"} with ${gibibytes} GiB of memory, a quarter of it PostgreSQL's \`shared_buffers\``
}

const headOf = (scale: number, { rounds, churnMinutes }: Pace): string =>
  `${amountsText(scale)}; ${rounds} alternating rounds, ${churnMinutes} minutes of churn.`

const paceOf = (quick: boolean, scale: number): Pace => {
  if (quick) return { rounds: 2, seconds: 1, churnMinutes: 1 }
  return scale < 1 ? { rounds: 3, seconds: 2, churnMinutes: 3 } : { rounds: 5, seconds: 5, churnMinutes: 60 }
}

const numberIn = (words: ReadonlyArray<string>, name: string, otherwise: number): number =>
  words.includes(name) ? Number(words[words.indexOf(name) + 1]) : otherwise

const tablesOf = (
  head: string,
  counts: string,
  loads: ReadonlyMap<string, Compared<Taken>>,
  looks: ReadonlyMap<string, Compared<Look>>,
  sizes: string
): string => [head, loadTable(loads), counts, lookTable(looks), sizes].join("\n\n")

const measured = async (world: World, scale: number, quick: boolean) => {
  const usual = paceOf(quick, scale)
  const pace = { ...usual, churnMinutes: numberIn(process.argv, "--churn", usual.churnMinutes) }
  const before = await sizesOf(world.urls.filled)
  await resetStatistics(world.urls.filled)
  const loads = await measureLoads(world, pace)
  await churn(world, pace)
  const sizes = sizeTable(before, await sizesOf(world.urls.filled))
  const looks = await measureLooks(world.urls, pace.rounds)
  const record = (counts: string) => {
    const tables = tablesOf(headOf(scale, pace), counts, loads, looks, sizes)
    writeTable(DOCUMENT, "growth", tables)
    return tables
  }
  say(record(`P4 and P5 ${quick ? "were left out, as ever when it looks only shortly" : "did not end"}.`))
  if (!quick) record(await countAll(world, scale))
}

export const run = async (quick: boolean): Promise<void> => {
  const scale = numberIn(process.argv, "--scale", 1)
  const megabytes = Math.floor(totalmem() / MEMORY_PART / 2 ** 20)
  const postgres = await startPostgres({ shared_buffers: `${megabytes}MB` })
  const stopNode = await startBench("relayNode.ts", NODE_PORT, { ANSWER_MILLIS: "20" })
  try {
    const world = await made(postgres, scale)
    if (process.argv.includes("--workers")) say(await workerTables(world.urls, amountsText(scale)))
    else await measured(world, scale, quick)
  } finally {
    await stopNode()
    await postgres.stop()
  }
}
