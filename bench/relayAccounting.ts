/** P4: what became of each submission while the node allows ten requests a second. */
import type { Dispatch, Plan, Step } from "../src/plans/Plan.ts"
import { keccak256 } from "../src/values/Keccak.ts"
import { type Proxy, startProxy } from "./relayProxy.ts"
import type { BenchServer } from "./support/Database.ts"
import { say, sayBar } from "./support/Figures.ts"
import { payment, signedTransaction, submission } from "./support/RelayRequests.ts"
import { ask, type LocalChain, plansFor, type Told, terminalOf, withService } from "./support/RelayWorld.ts"
import { type BenchAccount, benchAccounts } from "./support/Requests.ts"

const SUBMISSIONS = 100
const WORKERS = [10, 100, 1_000]
const ALLOWED = 10
const SETTLING_MILLIS = 90_000

interface Job {
  readonly account: BenchAccount
  readonly plan: Plan
  readonly raw: `0x${string}`
  readonly hash: string
  /** What every worker was told about it, last of all. */
  readonly told: Array<Told>
}

const sleep = (millis: number) => new Promise(resolve => setTimeout(resolve, millis))

const jobFor = (account: BenchAccount, plan: Plan): Job => {
  const [call] = plan.calls
  if (call === undefined) throw new Error("a plan without a call")
  const raw = signedTransaction(account, call, 0)
  const hash = keccak256(Buffer.from(raw.slice(2), "hex"))
  return { account, plan, raw, hash, told: [] }
}

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined

const codeOf = ({ body }: Told): string => String(member(body, "code"))

/** A client that gets no answer at all knows nothing; the record must know. */
const NO_ANSWER: Told = { status: 0, retryAfter: 1, body: { code: "no answer", retryable: true } }

const tried = (job: Job): Promise<Told> =>
  ask(job.account, submission(job.plan.id, 0, job.raw)).catch(() => NO_ANSWER)

/** Repeats what may be repeated, as a patient client would, until the time is up. */
const persist = async (job: Job, until: number): Promise<void> => {
  for (;;) {
    const told = await tried(job)
    const again = told.status !== 202 && member(told.body, "retryable") === true
    const pause = Math.min(told.retryAfter, 5) * 1000
    if (!again || performance.now() + pause > until) {
      job.told.push(told)
      return
    }
    await sleep(pause)
  }
}

/** With more workers than submissions, several bring the same one. */
const work = (jobs: ReadonlyArray<Job>, workers: number, millis: number) => {
  const until = performance.now() + millis
  const shares = Array.from({ length: workers }, (_, worker) =>
    jobs.filter((_, index) => index % workers === worker % jobs.length)
  )
  return Promise.all(
    shares.map(async share => {
      for (const job of share) await persist(job, until)
    })
  )
}

const stepOf = async ({ account, plan }: Job): Promise<Step | undefined> => {
  const told = await ask(account, { method: "GET", target: `/api/v1/plans/${plan.id}` }).catch(
    () => NO_ANSWER
  )
  const steps = member(told.body, "steps")
  return Array.isArray(steps) ? steps[0] : undefined
}

const SETTLED = ["confirmed", "reverted", "ready"]

const isSettled = ({ state, dispatch }: Step, sent: ReadonlyArray<string>): boolean =>
  SETTLED.includes(state) || (dispatch?.status === "unknown" && !sent.includes(dispatch.hash))

/** Until nothing that the node saw is still on its way. */
const settledSteps = async (jobs: ReadonlyArray<Job>, proxy: Proxy) => {
  const until = performance.now() + SETTLING_MILLIS
  for (;;) {
    const steps = await Promise.all(jobs.map(stepOf))
    const open = steps.filter(step => step === undefined || !isSettled(step, proxy.sent()))
    if (open.length === 0 || performance.now() > until) return steps
    await sleep(1_000)
  }
}

type Fate = "confirmed" | "refused" | "unknown with its hash" | "LOST"

const keepsHash = (job: Job, dispatch: Dispatch | undefined) => dispatch?.hash === job.hash

/** The record, what the clients were told and what the node saw must agree. */
const fateOf = (job: Job, step: Step | undefined, sent: ReadonlyArray<string>): Fate => {
  const times = sent.filter(hash => hash === job.hash).length
  const toldAdmitted = job.told.some(({ status }) => status === 202)
  const isAdmitted = step?.dispatch !== undefined
  if (isAdmitted && !keepsHash(job, step?.dispatch)) return "LOST"
  if (step?.state === "confirmed" && times === 1) return "confirmed"
  if (step?.dispatch?.status === "unknown") return "unknown with its hash"
  const refused = job.told.some(({ status }) => status >= 400)
  return step !== undefined && !isAdmitted && !toldAdmitted && times === 0 && refused ? "refused" : "LOST"
}

const evidenceOf = (job: Job, step: Step | undefined, sent: ReadonlyArray<string>) =>
  JSON.stringify({
    told: job.told.map(told => `${told.status} ${codeOf(told)}`),
    sent: sent.filter(hash => hash === job.hash).length,
    step
  })

const tally = (names: ReadonlyArray<string>): string =>
  [...new Set(names)].map(name => `${names.filter(other => other === name).length} ${name}`).join(", ")

/** Each part has accounts of its own, and none of the first, which other benchmarks relay with: the chain that all share would know the transactions. */
const accountsOf = (part: number) => benchAccounts((part + 2) * SUBMISSIONS).slice((part + 1) * SUBMISSIONS)

interface Part {
  readonly accounts: ReadonlyArray<BenchAccount>
  readonly workers: number
  readonly millis: number
}

const accounted = async (chain: LocalChain, proxy: Proxy, { accounts, workers, millis }: Part) => {
  const calls = [payment(31_337, terminalOf(chain), "2")]
  for (const { key } of accounts) await chain.rpc("anvil_setBalance", [key.address, "0x3635c9adc5dea00000"])
  const plans = await plansFor(accounts.map(account => ({ account, calls })))
  const jobs = plans.flatMap((plan, index) => {
    const account = accounts[index]
    return account === undefined ? [] : [jobFor(account, plan)]
  })
  const before = proxy.refused()
  proxy.allow(ALLOWED)
  await work(jobs, workers, millis)
  const turnedAway = proxy.refused() - before
  proxy.allow(Number.POSITIVE_INFINITY)
  const steps = await settledSteps(jobs, proxy)
  const fates = jobs.map((job, index) => fateOf(job, steps[index], proxy.sent()))
  const twice = jobs.filter(({ hash }) => proxy.sent().filter(sent => sent === hash).length > 1).length
  const refusals = jobs.flatMap(({ told }) => told.filter(({ status }) => status !== 202).map(codeOf))
  say(`  ${workers} workers: ${tally(fates)}; the node turned ${turnedAway} requests away`)
  for (const [index, job] of jobs.entries())
    if (fates[index] === "LOST") say(`    lost: ${evidenceOf(job, steps[index], proxy.sent())}`)
  say(`    refusals told: ${tally(refusals) || "none"}; sent twice: ${twice}`)
  return fates.filter(fate => fate !== "LOST").length - twice
}

export const accounting = async (postgres: BenchServer, chain: LocalChain, quick: boolean) => {
  say(`${SUBMISSIONS} submissions while the node allows ${ALLOWED} requests a second:`)
  for (const [part, workers] of WORKERS.entries()) {
    const proxy = await startProxy(chain.url)
    const chains = { SERVICE_RPC_31337: proxy.url, SERVICE_SANDBOX_MANIFEST: chain.overlay }
    try {
      const accounts = accountsOf(part)
      const count = await withService(postgres, `accounting_${workers}`, accounts, chains, () =>
        accounted(chain, proxy, { accounts, workers, millis: quick ? 10_000 : 45_000 })
      )
      sayBar(`accounted for with ${workers} workers`, `${count} %`, count === SUBMISSIONS, "100 %")
    } finally {
      await proxy.stop()
    }
  }
}
