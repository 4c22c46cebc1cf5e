/** P3: submission of steps to a node that answers in 20 ms, over many accounts and on one. */
import type { Plan } from "../src/plans/Plan.ts"
import { cpuMillis } from "./support/CpuTimes.ts"
import type { BenchServer } from "./support/Database.ts"
import { listed, median, say, sayBar, sayRate } from "./support/Figures.ts"
import { type LaneReport, lanes } from "./support/LaneLoad.ts"
import { startBench } from "./support/Processes.ts"
import { payment, signedTransaction, submission, wireOf } from "./support/RelayRequests.ts"
import { plansFor, SERVICE_PORT, withService } from "./support/RelayWorld.ts"
import { type BenchAccount, benchAccounts } from "./support/Requests.ts"

const ACCOUNTS = 1_000
const CONNECTIONS = 64
const NODE_PORT = 18_922
const ANSWER_MILLIS = 20
/** Looking and sending: at a head that was just seen the preflight goes with the look, and at this rate most are. */
const TRIPS = 2
const EXPECTED = 200
const PROJECT = "1"
const TERMINAL = "@bananapus/core-v6:src/JBMultiTerminal.sol:JBMultiTerminal"
/** A wallet's nonces of one chain go one after the other, so that one account is fast on several chains only. */
const CHAINS = [1, 10, 8_453, 42_161]

const nodeUrl = (chainId: number) => `http://127.0.0.1:${NODE_PORT}/${chainId}`

const chains = Object.fromEntries(CHAINS.map(chainId => [`SERVICE_RPC_${chainId}`, nodeUrl(chainId)]))

interface Job {
  readonly account: BenchAccount
  readonly chainId: number
  readonly nonce: number
}

const at = <A>(items: ReadonlyArray<A>, index: number): A => {
  const item = items[index % items.length]
  if (item === undefined) throw new Error("nothing to choose from")
  return item
}

const planned = (jobs: ReadonlyArray<Job>): Promise<ReadonlyArray<Plan>> =>
  plansFor(jobs.map(({ account, chainId }) => ({ account, calls: [payment(chainId, TERMINAL, PROJECT)] })))

const requestsOf = (jobs: ReadonlyArray<Job>, plans: ReadonlyArray<Plan>) =>
  jobs.map(({ account, nonce }, index) => {
    const plan = at(plans, index)
    return wireOf(account, submission(plan.id, 0, signedTransaction(account, at(plan.calls, 0), nonce)))
  })

const submitted = async (jobs: ReadonlyArray<Job>, options: Partial<Parameters<typeof lanes>[1]>) => {
  const requests = requestsOf(jobs, await planned(jobs))
  const before = cpuMillis()
  const report = await lanes(requests, { port: SERVICE_PORT, lanes: CONNECTIONS, seconds: 60, ...options })
  if (Object.keys(report.codes).length > 0) throw new Error(`refused: ${JSON.stringify(report.codes)}`)
  const after = cpuMillis()
  const cpuOf = (role: string) => ((after.get(role) ?? 0) - (before.get(role) ?? 0)) / requests.length
  return { ...report, service: cpuOf("service"), database: cpuOf("database") }
}

/** Each wallet's nonces in their order, every account in its turn. */
const jobsOver = (accounts: ReadonlyArray<BenchAccount>, count: number, first: number) =>
  Array.from({ length: count }, (_, index): Job => {
    const place = first + index
    const nonce = Math.floor(place / accounts.length)
    return { account: at(accounts, place), chainId: 1, nonce }
  })

const jobsOfOne = (account: BenchAccount, chainIds: ReadonlyArray<number>, each: number, first: number) =>
  Array.from({ length: each * chainIds.length }, (_, index): Job => {
    const nonce = first + Math.floor(index / chainIds.length)
    return { account, chainId: at(chainIds, index), nonce }
  })

const nodeMillis = async (): Promise<number> => {
  const stats = await (await fetch(nodeUrl(0))).json()
  return stats.busyMillis / stats.roundTrips
}

/** A question as the service writes it, but written by nobody who does anything else. */
const bareQuestion = (): Buffer => {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] })
  const head = [
    "POST /1 HTTP/1.1",
    "host: 127.0.0.1",
    "content-type: application/json",
    `content-length: ${body.length}`
  ]
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`)
}

/** How long the node's answers take for a caller that does nothing else, as many of them as the submissions ask for. */
const bareMillis = async (rate: number, seconds: number): Promise<number> => {
  const questions = Array.from({ length: Math.ceil(rate * TRIPS * seconds) }, bareQuestion)
  const options = { port: NODE_PORT, lanes: CONNECTIONS * 4, seconds, rate: rate * TRIPS }
  return (await lanes(questions, options)).p50
}

const figures = ({ perSecond, p50, p99 }: LaneReport) =>
  `${perSecond.toFixed(1)}/s, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`

const manyAccounts = async (accounts: ReadonlyArray<BenchAccount>, rounds: number, seconds: number) => {
  let next = 0
  const take = (count: number) => {
    const jobs = jobsOver(accounts, count, next)
    next += count
    return jobs
  }
  const rates: Array<number> = []
  const tails: Array<number> = []
  const millis: Array<number> = []
  await submitted(take(200), {})
  for (let round = 0; round < rounds; round++) {
    const report = await submitted(take(EXPECTED * seconds), {})
    const { perSecond, p99, service, database } = report
    say(
      `  round ${round + 1}: ${figures(report)}; of the processor ${service.toFixed(2)} ms, its database ${database.toFixed(2)} ms`
    )
    rates.push(perSecond)
    tails.push(p99)
    millis.push(service)
  }
  sayRate("submissions, closed loop", rates)
  const peak = median(rates)
  const rate = peak / 2
  const added: Array<number> = []
  for (let look = 0; look < rounds; look++) {
    const half = await submitted(take(Math.ceil(rate * seconds)), { rate, lanes: CONNECTIONS * 4 })
    const seen = await bareMillis(rate, seconds)
    say(`  at half of its peak: ${figures(half)}; the node's answers ${seen.toFixed(1)} ms for a bare client`)
    added.push(half.p50 - TRIPS * seen)
  }
  say(`  the node's answers by its own clock: ${(await nodeMillis()).toFixed(1)} ms`)
  sayBar("submissions per second", peak.toFixed(0), peak >= 150, ">= 150")
  sayBar("p99 at its peak", `${median(tails).toFixed(0)} ms`, median(tails) < 500, "< 500 ms")
  const taken = median(millis)
  sayBar("the service's processor time for each", `${taken.toFixed(2)} ms`, taken <= 3, "<= 3 ms")
  const own = median(added)
  sayBar(
    `added to the node's answers, at half (${listed(added)})`,
    `${own.toFixed(1)} ms`,
    own < 15,
    "< 15 ms"
  )
}

const oneAccount = async (account: BenchAccount, seconds: number) => {
  const alone = await submitted(jobsOfOne(account, [1], 10 * seconds, 0), { lanes: 1 })
  say(`  one account, one chain, one after the other: ${figures(alone)}`)
  const report = await submitted(jobsOfOne(account, CHAINS.slice(1), 10 * seconds, 0), { lanes: 3 })
  say(`  one account, three chains side by side: ${figures(report)}`)
  sayBar(
    "submissions per second on one account",
    report.perSecond.toFixed(1),
    report.perSecond >= 20,
    ">= 20"
  )
}

export const stepSubmission = async (postgres: BenchServer, quick: boolean) => {
  const seconds = quick ? 4 : 8
  const accounts = benchAccounts(ACCOUNTS + 1)
  say(
    `step submission, node answers in ${ANSWER_MILLIS} ms, ${ACCOUNTS} accounts, ${CONNECTIONS} connections:`
  )
  const stopNode = await startBench("relayNode.ts", NODE_PORT, { ANSWER_MILLIS: String(ANSWER_MILLIS) })
  try {
    await withService(postgres, "submission", accounts, chains, async () => {
      await manyAccounts(accounts.slice(0, ACCOUNTS), quick ? 1 : 3, seconds)
      await oneAccount(at(accounts, ACCOUNTS), seconds)
    })
  } finally {
    await stopNode()
  }
}
