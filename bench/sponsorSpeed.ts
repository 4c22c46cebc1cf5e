/** Sponsorships prepared and published, in turns with plans created and steps submitted, while node and provider answer in 20 ms. */
import { writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Plan } from "../src/plans/Plan.ts"
import {
  INSTANT_CHAIN,
  instantManifest,
  instantPayments,
  TERMINAL
} from "../test/support/InstantForwarder.ts"
import type { BenchServer } from "./support/Database.ts"
import { listed, median, say, sayBar } from "./support/Figures.ts"
import { startBench } from "./support/Processes.ts"
import { payment, planRequest, signedTransaction, submission, wireOf } from "./support/RelayRequests.ts"
import { plansFor, withService } from "./support/RelayWorld.ts"
import type { BenchAccount } from "./support/Requests.ts"
import { publicationRequest, sponsorshipRequest, sponsorshipsFor } from "./support/SponsoredRequests.ts"
import {
  accountsFor,
  CONNECTIONS,
  figures,
  fresh,
  inTurns,
  type Kind,
  ratioBar,
  sent,
  type Take,
  type Turns
} from "./support/Turns.ts"

const NODE_PORT = 18_924
const PROVIDER_PORT = 18_925
const ANSWER_MILLIS = 20
/** Looking and running: at a head that was just seen they go together, and at this rate most do; then the provider. */
const NODE_TRIPS = 1
const EXPECTED = 400

const calls = [payment(INSTANT_CHAIN, TERMINAL, "1")]

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
} satisfies Readonly<Record<string, Kind>>

const ORDER = ["creation", "preparation", "submission", "publication"] as const

interface Busy {
  readonly requests: number
  readonly busyMillis: number
}

const busyOf = async (port: number): Promise<Busy> => {
  const {
    requests,
    roundTrips = requests,
    busyMillis
  } = await (await fetch(`http://127.0.0.1:${port}/`)).json()
  return { requests: roundTrips, busyMillis }
}

const millisSince = async (port: number, before: Busy): Promise<number> => {
  const now = await busyOf(port)
  return (now.busyMillis - before.busyMillis) / (now.requests - before.requests)
}

/** Half of 90 a second, which is what the bars ask for: 0.6 of a submission's 150. */
const ASKED_RATE = 45

/** What node and provider take by their own clocks for the answers that a publication waits for. */
const addedAt = async (take: Take, rate: number, { rounds, seconds }: Turns) => {
  const added: Array<number> = []
  for (let look = 0; look < rounds; look++) {
    const requests = await KINDS.publication(take(Math.ceil(rate * seconds)))
    const [node, provider] = [await busyOf(NODE_PORT), await busyOf(PROVIDER_PORT)]
    const report = await sent(requests, { rate, lanes: CONNECTIONS * 4 })
    const millis =
      NODE_TRIPS * (await millisSince(NODE_PORT, node)) + (await millisSince(PROVIDER_PORT, provider))
    say(
      `  publication at ${rate.toFixed(0)}/s: ${figures(report)}; node and provider ${millis.toFixed(1)} ms`
    )
    added.push(report.p50 - millis)
  }
  return added
}

const addedBar = async (take: Take, peak: number, turns: Turns) => {
  const asked = await addedAt(take, ASKED_RATE, turns)
  say(`  added to node and provider at ${ASKED_RATE}/s: ${median(asked).toFixed(1)} ms (${listed(asked)})`)
  const half = await addedAt(take, peak / 2, turns)
  const own = median(half)
  const name = `added to node and provider, at half (${listed(half)})`
  sayBar(name, `${own.toFixed(1)} ms`, own < 25, "< 25 ms")
}

const measured = async (take: Take, turns: Turns) => {
  const rates = await inTurns(KINDS, ORDER, take, turns)
  ratioBar("preparation against plan creation", rates("preparation"), rates("creation"), 0.6)
  ratioBar("publication against step submission", rates("publication"), rates("submission"), 0.6)
  await addedBar(take, median(rates("publication")), turns)
}

export const sponsorSpeed = async (postgres: BenchServer, quick: boolean): Promise<void> => {
  const turns: Turns = {
    expected: EXPECTED,
    ...(quick ? { rounds: 1, seconds: 2 } : { rounds: 3, seconds: 4 })
  }
  const accounts = accountsFor(ORDER.length + 2, turns)
  const overlay = join(tmpdir(), `bench-sponsorship-${process.pid}.json`)
  writeFileSync(overlay, JSON.stringify(instantManifest))
  const pace = { ANSWER_MILLIS: String(ANSWER_MILLIS) }
  const stopNode = await startBench("relayNode.ts", NODE_PORT, pace)
  const stopProvider = await startBench("relayProvider.ts", PROVIDER_PORT, pace)
  const chains = {
    [`SERVICE_RPC_${INSTANT_CHAIN}`]: `http://127.0.0.1:${NODE_PORT}/${INSTANT_CHAIN}`,
    SERVICE_SANDBOX_MANIFEST: overlay,
    SERVICE_PROVIDER_URL: `http://127.0.0.1:${PROVIDER_PORT}`,
    SERVICE_PROVIDER_PAYMENTS: JSON.stringify(instantPayments)
  }
  say(
    `sponsorships of one call, node and provider answer in ${ANSWER_MILLIS} ms, ${CONNECTIONS} connections:`
  )
  try {
    await withService(postgres, "sponsorship", accounts, chains, () => measured(fresh(accounts), turns))
  } finally {
    await stopNode()
    await stopProvider()
  }
}
