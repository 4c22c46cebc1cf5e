/** Requests against an empty and a filled database, with what each takes of the processor. */

import { testKey } from "../test/signatures/TestKeys.ts"
import { cpuMillis } from "./support/CpuTimes.ts"
import { type LaneReport, lanes } from "./support/LaneLoad.ts"
import { payment, planRequest, signedTransaction, submission, wireOf } from "./support/RelayRequests.ts"
import { plansFor, SERVICE_PORT } from "./support/RelayWorld.ts"
import { type BenchAccount, CHAIN } from "./support/Requests.ts"

const TERMINAL = "@bananapus/core-v6:src/JBMultiTerminal.sol:JBMultiTerminal"
const PROJECT = "1"
const CONNECTIONS = 64
export const PAGE = 5
/** So many of the accounts are asked for their lists: fewer would have more live nonces than an account may, where the machine is quick. */
export const LISTED = 250

let enrolled = 0

export interface Load {
  readonly accounts: ReadonlyArray<BenchAccount>
  /** Of its own, so that nobody else's transactions take its nonces. */
  readonly chainId: number
  /** How many submissions there were. */
  submitted: number
}

export interface Taken {
  readonly perSecond: number
  /** Milliseconds of the processor for each request. */
  readonly service: number
  readonly database: number
}

const at = <A>(items: ReadonlyArray<A>, index: number): A => {
  const item = items[index % items.length]
  if (item === undefined) throw new Error("nothing to choose from")
  return item
}

const times = <A>(count: number, make: (index: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, index) => make(index))

export type Kind = (load: Load, count: number) => Promise<ReadonlyArray<Buffer>>

const reads: Kind = async ({ accounts }, count) =>
  times(count, index => wireOf(at(accounts, index), { method: "GET", target: "/api/v1/accounts/me" }))

const listsOf =
  (what: string): Kind =>
  async ({ accounts }, count) =>
    times(count, index =>
      wireOf(at(accounts, index % LISTED), { method: "GET", target: `/api/v1/${what}?limit=${PAGE}` })
    )

const plans: Kind = async ({ accounts, chainId }, count) =>
  times(count, index => {
    const account = at(accounts, index)
    return wireOf(account, planRequest(account, [payment(chainId, TERMINAL, PROJECT)]))
  })

/** Of accounts that nobody had before. */
const enrolments: Kind = async ({ chainId }, count) => {
  const first = enrolled
  enrolled += count
  return times(count, index => {
    const key = testKey(`new account ${chainId} ${first + index}`)
    const account = { id: `eip155:${CHAIN}:${key.address}`, key }
    return wireOf(account, { method: "POST", target: "/api/v1/accounts/enroll", body: {} })
  })
}

/** Each wallet's nonces in their order. */
const submissions: Kind = async (load, count) => {
  const { accounts, chainId } = load
  const jobs = times(count, index => {
    const place = load.submitted + index
    return { account: at(accounts, place), nonce: Math.floor(place / accounts.length) }
  })
  load.submitted += count
  const calls = [payment(chainId, TERMINAL, PROJECT)]
  const made = await plansFor(jobs.map(({ account }) => ({ account, calls })))
  return jobs.map(({ account, nonce }, index) => {
    const plan = at(made, index)
    return wireOf(account, submission(plan.id, 0, signedTransaction(account, at(plan.calls, 0), nonce)))
  })
}

export const KINDS = {
  "P1 signed read": { make: reads, expected: 2_000 },
  "P2 plan creation": { make: plans, expected: 400 },
  "P3 step submission": { make: submissions, expected: 150 },
  enrolment: { make: enrolments, expected: 100 },
  "plan list, first page": { make: listsOf("plans"), expected: 400 },
  "sponsorship list, first page": { make: listsOf("sponsorships"), expected: 400 },
  "operation list, first page": { make: listsOf("user-operations"), expected: 400 },
  "session list, first page": { make: listsOf("smart-accounts/sessions"), expected: 400 }
} as const

export type KindName = keyof typeof KINDS

/** What each account lists, on whatever database. */
export const seedPlans = async ({ accounts, chainId }: Load): Promise<void> => {
  const calls = [payment(chainId, TERMINAL, PROJECT)]
  await plansFor(times(LISTED * PAGE, index => ({ account: at(accounts, index % LISTED), calls })))
}

export const sendAll = async (load: Load, name: KindName, seconds: number): Promise<Taken> => {
  const { make, expected } = KINDS[name]
  const requests = await make(load, expected * seconds)
  const before = cpuMillis()
  const report: LaneReport = await lanes(requests, { port: SERVICE_PORT, lanes: CONNECTIONS, seconds: 600 })
  if (Object.keys(report.codes).length > 0)
    throw new Error(`${name} was refused: ${JSON.stringify(report.codes)}`)
  const after = cpuMillis()
  const each = (role: string) => ((after.get(role) ?? 0) - (before.get(role) ?? 0)) / requests.length
  return { perSecond: report.perSecond, service: each("service"), database: each("database") }
}
