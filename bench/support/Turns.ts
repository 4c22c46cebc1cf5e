/** Requests of several kinds in turns, so that a machine that changes its pace changes it for each. */
import { cpuMillis, sayCpu } from "./CpuTimes.ts"
import { median, say, sayBar, sayRate } from "./Figures.ts"
import { type LaneOptions, type LaneReport, lanes } from "./LaneLoad.ts"
import { SERVICE_PORT } from "./RelayWorld.ts"
import { type BenchAccount, benchAccounts } from "./Requests.ts"

export const CONNECTIONS = 64

/** Makes ready what is measured, for each of these accounts once. */
export type Kind = (accounts: ReadonlyArray<BenchAccount>) => Promise<ReadonlyArray<Buffer>>

export type Take = (count: number) => ReadonlyArray<BenchAccount>

export interface Turns {
  /** Requests of a kind in a second, about. */
  readonly expected: number
  readonly rounds: number
  readonly seconds: number
}

/** Accounts that nobody had before. */
export const fresh = (accounts: ReadonlyArray<BenchAccount>): Take => {
  let next = 0
  return count => {
    const taken = accounts.slice(next, next + count)
    next += count
    if (taken.length < count) throw new Error("too few accounts")
    return taken
  }
}

/** As many as so many kinds take. */
export const accountsFor = (kinds: number, { expected, rounds, seconds }: Turns) =>
  benchAccounts((expected * seconds * rounds + expected) * kinds)

export const figures = ({ perSecond, p50, p99 }: LaneReport): string =>
  `${perSecond.toFixed(1)}/s, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`

export const sent = async (
  requests: ReadonlyArray<Buffer>,
  load: Partial<LaneOptions> = {}
): Promise<LaneReport> => {
  const options = { port: SERVICE_PORT, lanes: CONNECTIONS, seconds: 60, ...load }
  const before = cpuMillis()
  const report = await lanes(requests, options)
  if (Object.keys(report.codes).length > 0) throw new Error(`refused: ${JSON.stringify(report.codes)}`)
  say(`    ms of the processor each: ${sayCpu(before, requests.length)}`)
  return report
}

/** What each kind came to in each round. */
export const inTurns = async <Name extends string>(
  kinds: Readonly<Record<Name, Kind>>,
  order: ReadonlyArray<Name>,
  take: Take,
  { expected, rounds, seconds }: Turns
): Promise<(name: Name) => ReadonlyArray<number>> => {
  const rates = new Map<Name, Array<number>>(order.map(name => [name, []]))
  for (const name of order) await sent(await kinds[name](take(expected)))
  for (let round = 0; round < rounds; round++)
    for (const name of order) {
      const report = await sent(await kinds[name](take(expected * seconds)))
      say(`  round ${round + 1}, ${name}: ${figures(report)}`)
      rates.get(name)?.push(report.perSecond)
    }
  for (const [name, found] of rates) sayRate(name, found)
  return name => rates.get(name) ?? []
}

export const ratioBar = (
  name: string,
  ours: ReadonlyArray<number>,
  theirs: ReadonlyArray<number>,
  least: number
): void => {
  const ratio = median(ours) / median(theirs)
  sayBar(name, ratio.toFixed(2), ratio >= least, `>= ${least.toFixed(2)}`)
}
