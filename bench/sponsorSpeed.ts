/** Sponsorships prepared and published, in turns with plans created and steps submitted, while node and provider answer in 20 ms. */
import { writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Plan } from "../src/plans/Plan.ts"
import { INSTANT_CHAIN, instantManifest, TERMINAL } from "../test/support/InstantForwarder.ts"
import type { BenchServer } from "./support/Database.ts"
import { listed, median, say, sayBar, sayRate } from "./support/Figures.ts"
import { type LaneReport, lanes } from "./support/LaneLoad.ts"
import { startBench } from "./support/Processes.ts"
import { payment, planRequest, signedTransaction, submission, wireOf } from "./support/RelayRequests.ts"
import { plansFor, SERVICE_PORT, withService } from "./support/RelayWorld.ts"
import { type BenchAccount, benchAccounts } from "./support/Requests.ts"
import { publicationRequest, sponsorshipRequest, sponsorshipsFor } from "./support/SponsoredRequests.ts"

const CONNECTIONS = 64
const NODE_PORT = 18_924
const PROVIDER_PORT = 18_925
const ANSWER_MILLIS = 20
const EXPECTED = 400

type Take = (count: number) => ReadonlyArray<BenchAccount>

const calls = [payment(INSTANT_CHAIN, TERMINAL, "1")]

type Load = Partial<Parameters<typeof lanes>[1]>

const sent = async (requests: ReadonlyArray<Buffer>, load: Load): Promise<LaneReport> => {
  const options = { port: SERVICE_PORT, lanes: CONNECTIONS, seconds: 60, ...load }
  const report = await lanes(requests, options)
  if (Object.keys(report.codes).length > 0) throw new Error(`refused: ${JSON.stringify(report.codes)}`)
  return report
}

const planned = (accounts: ReadonlyArray<BenchAccount>): Promise<ReadonlyArray<Plan>> =>
  plansFor(accounts.map(account => ({ account, calls })))

const withPlans = async (
  accounts: ReadonlyArray<BenchAccount>,
  request: (account: BenchAccount, plan: Plan) => Buffer
) => {
  const plans = await planned(accounts)
  return accounts.flatMap((account, index) => {
    const plan = plans[index]
    return plan === undefined ? [] : [request(account, plan)]
  })
}

/** Each of a wallet of its own, since a nonce of the forwarder that has left is taken for good. */
const KINDS = {
  creation: async accounts => accounts.map(account => wireOf(account, planRequest(account, calls))),
  preparation: accounts => withPlans(accounts, (account, { id }) => wireOf(account, sponsorshipRequest(id))),
  submission: accounts =>
    withPlans(accounts, (account, plan) => {
      const [call] = plan.calls
      if (call === undefined) throw new Error("a plan without a call")
      return wireOf(account, submission(plan.id, 0, signedTransaction(account, call, 0)))
    }),
  publication: async accounts => {
    const plans = await planned(accounts)
    const wanted = accounts.map((account, index) => ({ account, planId: plans[index]?.id ?? "" }))
    const sponsorships = await sponsorshipsFor(wanted)
    return accounts.flatMap((account, index) => {
      const sponsorship = sponsorships[index]
      return sponsorship === undefined ? [] : [wireOf(account, publicationRequest(account, sponsorship))]
    })
  }
} satisfies Readonly<
  Record<string, (accounts: ReadonlyArray<BenchAccount>) => Promise<ReadonlyArray<Buffer>>>
>

type Kind = keyof typeof KINDS

const ORDER: ReadonlyArray<Kind> = ["creation", "preparation", "submission", "publication"]

const figures = ({ perSecond, p50, p99 }: LaneReport) =>
  `${perSecond.toFixed(1)}/s, p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`

/** All kinds in turns, so that a machine that changes its pace changes it for each. */
const measured = async (
  take: (count: number) => ReadonlyArray<BenchAccount>,
  rounds: number,
  seconds: number
) => {
  const rates: Record<Kind, Array<number>> = {
    creation: [],
    preparation: [],
    submission: [],
    publication: []
  }
  for (const kind of ORDER) await sent(await KINDS[kind](take(EXPECTED)), {})
  for (let round = 0; round < rounds; round++)
    for (const kind of ORDER) {
      const report = await sent(await KINDS[kind](take(EXPECTED * seconds)), {})
      say(`  round ${round + 1}, ${kind}: ${figures(report)}`)
      rates[kind].push(report.perSecond)
    }
  for (const kind of ORDER) sayRate(kind, rates[kind])
  return rates
}

const ratioBar = (name: string, ours: ReadonlyArray<number>, theirs: ReadonlyArray<number>) => {
  const ratio = median(ours) / median(theirs)
  sayBar(name, ratio.toFixed(2), ratio >= 0.6, ">= 0.60")
}

const busyMillis = async (port: number): Promise<number> =>
  (await (await fetch(`http://127.0.0.1:${port}/`)).json()).busyMillis

/** What node and provider take by their own clocks for each request of a run. */
const upstreamMillis = async (requests: number, run: () => Promise<LaneReport>) => {
  const both = async () => (await busyMillis(NODE_PORT)) + (await busyMillis(PROVIDER_PORT))
  const before = await both()
  const report = await run()
  return { report, millis: ((await both()) - before) / requests }
}

const addedBar = async (take: Take, peak: number, rounds: number, seconds: number) => {
  const added: Array<number> = []
  const rate = peak / 2
  for (let look = 0; look < rounds; look++) {
    const requests = await KINDS.publication(take(Math.ceil(rate * seconds)))
    const { report, millis } = await upstreamMillis(requests.length, () =>
      sent(requests, { rate, lanes: CONNECTIONS * 4 })
    )
    say(`  publication at half of its peak: ${figures(report)}; node and provider ${millis.toFixed(1)} ms`)
    added.push(report.p50 - millis)
  }
  const own = median(added)
  const name = `added to node and provider, at half (${listed(added)})`
  sayBar(name, `${own.toFixed(1)} ms`, own < 25, "< 25 ms")
}

export const sponsorSpeed = async (postgres: BenchServer, quick: boolean): Promise<void> => {
  const [rounds, seconds] = quick ? [1, 2] : [3, 4]
  const each = EXPECTED * seconds * rounds + EXPECTED
  const accounts = benchAccounts(each * (ORDER.length + 1))
  let next = 0
  const take = (count: number) => {
    const taken = accounts.slice(next, next + count)
    next += count
    if (taken.length < count) throw new Error("too few accounts")
    return taken
  }
  const overlay = join(tmpdir(), `bench-sponsorship-${process.pid}.json`)
  writeFileSync(overlay, JSON.stringify(instantManifest))
  const pace = { ANSWER_MILLIS: String(ANSWER_MILLIS) }
  const stopNode = await startBench("relayNode.ts", NODE_PORT, pace)
  const stopProvider = await startBench("relayProvider.ts", PROVIDER_PORT, pace)
  const chains = {
    [`SERVICE_RPC_${INSTANT_CHAIN}`]: `http://127.0.0.1:${NODE_PORT}/${INSTANT_CHAIN}`,
    SERVICE_SANDBOX_MANIFEST: overlay,
    SERVICE_PROVIDER_URL: `http://127.0.0.1:${PROVIDER_PORT}`
  }
  say(
    `sponsorships of one call, node and provider answer in ${ANSWER_MILLIS} ms, ${CONNECTIONS} connections:`
  )
  try {
    await withService(postgres, "sponsorship", accounts, chains, async () => {
      const rates = await measured(take, rounds, seconds)
      ratioBar("preparation against plan creation", rates.preparation, rates.creation)
      ratioBar("publication against step submission", rates.publication, rates.submission)
      await addedBar(take, median(rates.publication), rounds, seconds)
    })
  } finally {
    await stopNode()
    await stopProvider()
  }
}
