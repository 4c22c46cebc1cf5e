/** Signed `GET /accounts/me` with all checks: our service against a straightforward one and against the limit, in alternating rounds. */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  type BenchServer,
  migrated,
  seedAccounts,
  seedLiveNonces,
  seedSleepers,
  startPostgres
} from "./support/Database.ts"
import { listed, median, say, sayBar, sayRate } from "./support/Figures.ts"
import {
  type LoadReport,
  load,
  SERVICE_PROGRAM,
  type Stop,
  startBench,
  startServer
} from "./support/Processes.ts"
import { AUDIENCE, type BenchAccount, benchAccounts, signedGets } from "./support/Requests.ts"

const ACCOUNTS = 500
const CONNECTIONS = 64
const PORTS = { baseline: 18_901, limit: 18_902, service: 18_903 }
const EXPECTED = { baseline: 2_000, limit: 30_000, service: 20_000 }
const MANY_ACCOUNTS = 100_000
const LIVE_NONCES = 900
/** How a rate comes: request by request, or so many times a second all at once. */
const PACES = { evenly: {}, "in 100 bursts a second": { bursts: 100 } }

type Subject = keyof typeof PORTS

interface Pace {
  readonly rounds: number
  readonly seconds: number
}

const subjects: ReadonlyArray<Subject> = ["baseline", "limit", "service"]

const environmentOf = (database: string) => ({
  DATABASE: database,
  DATA: mkdtempSync(join(tmpdir(), "bench-settings-"))
})

const startService = (port: number, database: string): Promise<Stop> =>
  startServer([...SERVICE_PROGRAM], port, {
    SERVICE_PORT: String(port),
    SERVICE_OPS_PORT: String(port + 100),
    SERVICE_PUBLIC_URL: AUDIENCE,
    SERVICE_DATABASE_URL: database,
    SERVICE_DATA_DIR: mkdtempSync(join(tmpdir(), "bench-service-")),
    SERVICE_RPC_1: "http://127.0.0.1:1",
    SERVICE_QUOTA_OWNER: "1000000000",
    SERVICE_QUOTA_ADDRESS: "1000000000",
    SERVICE_ENROLMENTS_PER_ADDRESS: "0"
  })

const start = (subject: Subject, database: string): Promise<Stop> =>
  subject === "service"
    ? startService(PORTS.service, database)
    : startBench(
        subject === "baseline" ? "baseline/server.ts" : "limit.ts",
        PORTS[subject],
        environmentOf(database)
      )

const prepared = async (
  postgres: BenchServer,
  name: string,
  accounts: ReadonlyArray<BenchAccount>,
  sleepers = 0
) => {
  const url = await postgres.database(name)
  await migrated(url)
  await seedSleepers(url, sleepers)
  await seedAccounts(url, accounts)
  return url
}

const refuseFailures = (subject: string, { statuses }: LoadReport) => {
  const others = Object.entries(statuses).filter(([status]) => status !== "200")
  if (others.length > 0) throw new Error(`${subject} answered ${JSON.stringify(statuses)}`)
}

const measure = async (
  subject: Subject,
  accounts: ReadonlyArray<BenchAccount>,
  seconds: number,
  { rate, ...pace }: { readonly rate?: number; readonly bursts?: number } = {}
): Promise<LoadReport> => {
  const count = Math.ceil((rate ?? EXPECTED[subject]) * seconds * 1.1)
  const report = await load(signedGets(accounts, count), {
    port: PORTS[subject],
    connections: CONNECTIONS,
    seconds,
    ...(rate === undefined ? {} : { rate, ...pace })
  })
  refuseFailures(subject, report)
  return report
}

/** Servers run one at a time, so that none takes the cores from another. */
const withServer = async <A>(subject: Subject, database: string, use: () => Promise<A>): Promise<A> => {
  const stop = await start(subject, database)
  try {
    return await use()
  } finally {
    await stop()
  }
}

const compare = async (
  postgres: BenchServer,
  accounts: ReadonlyArray<BenchAccount>,
  { rounds, seconds }: Pace
) => {
  const rates: Record<Subject, Array<number>> = { baseline: [], limit: [], service: [] }
  for (let round = 0; round < rounds; round++) {
    for (const subject of subjects) {
      const database = await prepared(postgres, `${subject}_${round}`, accounts)
      const { perSecond } = await withServer(subject, database, async () => {
        await measure(subject, accounts, 1)
        return measure(subject, accounts, seconds)
      })
      rates[subject].push(perSecond)
      say(`  round ${round + 1}: ${subject} ${perSecond.toFixed(0)}/s`)
    }
  }
  return rates
}

const serviceRate = async (
  postgres: BenchServer,
  name: string,
  accounts: ReadonlyArray<BenchAccount>,
  seconds: number,
  options: { readonly sleepers?: number; readonly nonces?: number }
): Promise<number> => {
  const database = await prepared(postgres, name, accounts, options.sleepers)
  return withServer("service", database, async () => {
    await measure("service", accounts, 1)
    if (options.nonces !== undefined) await seedLiveNonces(database, options.nonces)
    return (await measure("service", accounts, seconds)).perSecond
  })
}

const report = (rates: Record<Subject, ReadonlyArray<number>>) => {
  say("signed GET /accounts/me, all checks on, 500 accounts, 64 connections, everything on these cores:")
  for (const subject of subjects) sayRate(subject, rates[subject])
  const service = median(rates.service)
  const overBaseline = service / median(rates.baseline)
  const ofLimit = service / median(rates.limit)
  sayBar("times the baseline", overBaseline.toFixed(1), overBaseline >= 13, ">= 13")
  sayBar("share of the limit", `${(ofLimit * 100).toFixed(0)} %`, ofLimit >= 0.68, ">= 68 %")
  return service
}

/** The same service in two situations, in turn and in either order: the second's rate over its neighbour's, for a machine drifts. */
const flat = async (
  rounds: number,
  least: number,
  [first, second]: readonly [string, string],
  [plain, changed]: readonly [(round: number) => Promise<number>, (round: number) => Promise<number>]
) => {
  const rates: readonly [Array<number>, Array<number>] = [[], []]
  const shares: Array<number> = []
  for (let round = 0; round < rounds; round++) {
    const changedFirst = round % 2 === 1 ? await changed(round) : undefined
    const before = await plain(round)
    const after = changedFirst ?? (await changed(round))
    rates[0].push(before)
    rates[1].push(after)
    shares.push(after / before)
  }
  sayRate(first, rates[0])
  sayRate(second, rates[1])
  const share = median(shares)
  sayBar(`${second} against ${first}`, share.toFixed(2), share >= least, `>= ${least.toFixed(2)}`)
}

const flatness = async (
  postgres: BenchServer,
  accounts: ReadonlyArray<BenchAccount>,
  { rounds, seconds }: Pace
) => {
  const rateOf =
    (name: string, used: ReadonlyArray<BenchAccount>, options: Parameters<typeof serviceRate>[4]) =>
    (round: number) =>
      serviceRate(postgres, `${name}_${round}`, used, seconds, options)
  await flat(
    rounds,
    0.9,
    ["100 accounts", `${MANY_ACCOUNTS} accounts`],
    [rateOf("few", accounts.slice(0, 100), {}), rateOf("many", accounts, { sleepers: MANY_ACCOUNTS })]
  )
  await flat(
    rounds,
    0.95,
    ["no live nonces", `${LIVE_NONCES} live nonces each`],
    [rateOf("fresh", accounts, {}), rateOf("nonces", accounts, { nonces: LIVE_NONCES })]
  )
}

/** Several looks at each pace: one pause of the machine is in the hundredth of a few seconds' requests. */
const tailsAt = async (
  subject: Subject,
  postgres: BenchServer,
  accounts: ReadonlyArray<BenchAccount>,
  rate: number,
  { rounds, seconds }: Pace
): Promise<ReadonlyMap<string, ReadonlyArray<number>>> => {
  const database = await prepared(postgres, `${subject}_half`, accounts)
  return withServer(subject, database, async () => {
    await measure(subject, accounts, 2)
    const seen = new Map<string, ReadonlyArray<number>>()
    for (const [name, pace] of Object.entries(PACES)) {
      const tails: Array<number> = []
      for (let round = 0; round < rounds; round++)
        tails.push((await measure(subject, accounts, seconds, { rate, ...pace })).p99)
      seen.set(name, tails)
    }
    return seen
  })
}

const atHalf = async (
  postgres: BenchServer,
  accounts: ReadonlyArray<BenchAccount>,
  rate: number,
  pace: Pace
) => {
  const bare = await tailsAt("limit", postgres, accounts, rate, pace)
  const tails = await tailsAt("service", postgres, accounts, rate, pace)
  for (const name of Object.keys(PACES)) {
    const [ours, theirs] = [tails.get(name) ?? [], bare.get(name) ?? []]
    say(`  p99 of the limit at half of the service's peak, ${name} (${listed(theirs)})`)
    const [p99, least] = [median(ours), 2 * median(theirs)]
    const title = `p99 at half of its peak, ${name} (${listed(ours)})`
    sayBar(
      title,
      `${p99.toFixed(1)} ms`,
      p99 < 50 && p99 <= least,
      `< 50 ms and <= ${least.toFixed(1)}, twice the limit's`
    )
  }
}

export const run = async (quick: boolean): Promise<void> => {
  const pace: Pace = quick ? { rounds: 1, seconds: 2 } : { rounds: 3, seconds: 5 }
  const postgres = await startPostgres()
  const accounts = benchAccounts(ACCOUNTS)
  try {
    const peak = report(await compare(postgres, accounts, pace))
    await atHalf(postgres, accounts, peak / 2, pace)
    await flatness(postgres, accounts, quick ? pace : { ...pace, rounds: 7 })
  } finally {
    await postgres.stop()
  }
}
