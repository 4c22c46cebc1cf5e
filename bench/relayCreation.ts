/** P2: signed creation of plans of one call over a local chain. */
import type { BenchServer } from "./support/Database.ts"
import { listed, median, say, sayBar, sayRate } from "./support/Figures.ts"
import { type LaneReport, lanes } from "./support/LaneLoad.ts"
import { payment, planRequest, wireOf } from "./support/RelayRequests.ts"
import { type LocalChain, SERVICE_PORT, terminalOf, withService } from "./support/RelayWorld.ts"
import { type BenchAccount, benchAccounts } from "./support/Requests.ts"

const ACCOUNTS = 500
const CONNECTIONS = 64
const EXPECTED = 1_500
const PROJECT = "2"

const requestsFor = (chain: LocalChain, accounts: ReadonlyArray<BenchAccount>, count: number) => {
  const calls = [payment(31_337, terminalOf(chain), PROJECT)]
  return Array.from({ length: count }, (_, index) => {
    const account = accounts[index % accounts.length]
    if (account === undefined) throw new Error("no accounts")
    return wireOf(account, planRequest(account, calls))
  })
}

const created = async (
  chain: LocalChain,
  accounts: ReadonlyArray<BenchAccount>,
  seconds: number,
  rate?: number
): Promise<LaneReport> => {
  const requests = requestsFor(chain, accounts, Math.ceil((rate ?? EXPECTED) * seconds))
  const report = await lanes(requests, {
    port: SERVICE_PORT,
    lanes: rate === undefined ? CONNECTIONS : CONNECTIONS * 4,
    seconds,
    ...(rate === undefined ? {} : { rate })
  })
  if (Object.keys(report.codes).length > 0) throw new Error(`refused: ${JSON.stringify(report.codes)}`)
  return report
}

export const planCreation = async (postgres: BenchServer, chain: LocalChain, quick: boolean) => {
  const seconds = quick ? 3 : 6
  const rounds = quick ? 1 : 3
  const accounts = benchAccounts(ACCOUNTS)
  const chains = { SERVICE_RPC_31337: chain.url, SERVICE_SANDBOX_MANIFEST: chain.overlay }
  say(`plan creation, one call, local chain, ${ACCOUNTS} accounts, ${CONNECTIONS} connections:`)
  await withService(postgres, "creation", accounts, chains, async () => {
    await created(chain, accounts, 2)
    const rates: Array<number> = []
    for (let round = 0; round < rounds; round++) {
      const { perSecond, p50, p99 } = await created(chain, accounts, seconds)
      say(
        `  round ${round + 1}: ${perSecond.toFixed(0)}/s, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`
      )
      rates.push(perSecond)
    }
    sayRate("signed plan creation", rates)
    const peak = median(rates)
    const tails: Array<number> = []
    for (let look = 0; look < rounds; look++)
      tails.push((await created(chain, accounts, seconds, peak / 2)).p99)
    const tail = median(tails)
    sayBar("plans per second", peak.toFixed(0), peak >= 400, ">= 400")
    sayBar(`p99 at half of its peak (${listed(tails)})`, `${tail.toFixed(1)} ms`, tail < 150, "< 150 ms")
  })
}
