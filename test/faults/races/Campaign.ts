/** A whole run: many accounts race at once, each through one race after the other, and in the end the truths are compared. */
import type { Signer } from "../../support/FastSign.ts"
import { type Chance, chanceFrom } from "../crash/Chance.ts"
import { watchLocks } from "../crash/Locks.ts"
import { carriedOutOn } from "../operating/Events.ts"
import { lapseAll } from "../sponsored/Lapse.ts"
import type { RunResult } from "../VerdictReport.ts"
import { type Arena, openArena, signerOf } from "./Arena.ts"
import { audit, type Told } from "./Audit.ts"
import { KINDS, type LateCheck, type Race } from "./Kinds.ts"
import { LIFECYCLE_KINDS } from "./LifecycleKinds.ts"
import { OPERATION_KINDS } from "./OperationKinds.ts"
import { REVOCATION_KINDS } from "./RevocationKinds.ts"
import { SESSION_KINDS } from "./SessionKinds.ts"
import { ready } from "./Signed.ts"
import { SPONSORED_KINDS } from "./SponsoredKinds.ts"

export interface RacesOptions {
  readonly attempts: number
  readonly seed: number
  readonly replicas: number
  /** Races that go on at once, each over an account of its own. */
  readonly atOnce: number
  readonly races: Races
  /** Whether each kind gets its turn, instead of as often as its weight. */
  readonly inOrder?: boolean
  readonly say: (line: string) => void
}

export interface RacesResult extends RunResult {
  readonly counts: Readonly<Record<string, number>>
}

/** An account holds so many keys and plans at most, so a fresh one takes over long before. */
const RACES_PER_ACCOUNT = 1_000
const REPORTS = 20
const QUIET_MILLIS = 30_000

const sleep = (millis: number) => new Promise<void>(resolve => setTimeout(resolve, millis))

export const RACES = { ...KINDS, ...SPONSORED_KINDS }

/** Those of sessions, too. */
export const RACES_OF_SESSIONS = { ...SESSION_KINDS, ...LIFECYCLE_KINDS, ...REVOCATION_KINDS }

const RACES_OF_WALLETS = { ...OPERATION_KINDS, ...RACES_OF_SESSIONS }

type Races = typeof KINDS

/** Each as often as its weight. */
const lotsOf = (races: Races) =>
  Object.entries(races).flatMap(([name, { weight }]) => Array.from({ length: weight }, () => name))

const enrolled = async (arena: Arena, label: string): Promise<Signer> => {
  const owner = signerOf(label)
  const request = ready(owner, { method: "POST", target: "/api/v1/accounts/enroll", body: {} })
  const { status, code } = await arena.ask(request, 0)
  if (status !== 200) throw new Error(`an account was not enrolled: ${status} ${code}`)
  return owner
}

/** With all silent, recovery looks at every plan once more; gives how much left meanwhile. */
export const silence = async ({ node, sponsoring, operating, sql }: Arena): Promise<number> => {
  const left = () =>
    node.arrivals() +
    sponsoring.node.arrivals() +
    sponsoring.provider.publications.length +
    (operating?.bundler.sent.length ?? 0)
  const before = left()
  await sql("UPDATE dispatch_leases SET expires_at = least(expires_at, unix_millis()) WHERE outcome IS NULL")
  const [{ due } = { due: 0 }] = await sql<{ due: number }>(
    "WITH due AS (UPDATE plans SET sweep_at = unix_millis() WHERE sweep_at IS NOT NULL RETURNING 1) SELECT count(*) AS due FROM due"
  )
  const end = Date.now() + QUIET_MILLIS
  const isSwept = async () => {
    const rows = await sql("SELECT 1 FROM plans WHERE sweep_at <= unix_millis() LIMIT 1")
    return rows.length === 0
  }
  while (due > 0 && !(await isSwept()) && Date.now() < end) await sleep(50)
  return left() - before
}

interface Book {
  readonly told: Array<Told>
  readonly broken: Array<string>
  readonly counts: Record<string, number>
  readonly later: Array<LateCheck>
  begun: number
  done: number
}

const runOne = async (
  arena: Arena,
  owner: Signer,
  chance: Chance,
  book: Book,
  { races, inOrder = false, say }: Pick<RacesOptions, "races" | "inOrder" | "say">
) => {
  const lots = inOrder ? Object.keys(races) : lotsOf(races)
  const name = lots[inOrder ? book.begun % lots.length : chance.below(lots.length)] ?? ""
  book.begun++
  const told: Race["told"] = (hash, plan, step) => {
    book.told.push({ hash, plan, step })
  }
  const found = await races[name]?.run({
    arena,
    chance,
    owner,
    told,
    later: check => void book.later.push(check)
  })
  const broken = (found ?? []).map(line => `${name}: ${line}`)
  for (const line of broken) say(line)
  book.broken.push(...broken)
  book.counts[name] = (book.counts[name] ?? 0) + 1
  book.done++
}

const runLane = async (
  arena: Arena,
  lane: number,
  options: RacesOptions,
  book: Book,
  take: () => boolean
) => {
  const chance = chanceFrom(options.seed + lane)
  for (let account = 0; ; account++) {
    const owner = await enrolled(arena, `racer ${options.seed}/${lane}/${account}`)
    for (let race = 0; race < RACES_PER_ACCOUNT; race++) {
      if (!take()) return
      await runOne(arena, owner, chance, book, options)
    }
  }
}

/** Longer than any operation's signatures are good for. */
const OPERATION_SECONDS = 400
const CHECKS_AT_ONCE = 6

/** Once the time of all operations is over. */
const checkLater = async ({ operating }: Arena, { later, broken }: Book) => {
  if (operating === undefined || later.length === 0) return
  const each = async (act: (check: LateCheck) => Promise<unknown>) => {
    await lapseAll(operating.chainUrl, OPERATION_SECONDS)
    const waiting = later.values()
    const lane = async () => {
      for (const one of waiting) await act(one)
    }
    await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, lane))
  }
  await each(({ look }) => look())
  await each(async ({ end }) => broken.push(...(await end())))
}

const race = async (arena: Arena, options: RacesOptions): Promise<RacesResult> => {
  const { attempts, seed, replicas, atOnce, say } = options
  const begun = Date.now()
  const seconds = () => Math.round((Date.now() - begun) / 1000)
  const book: Book = { told: [], broken: [], counts: {}, later: [], begun: 0, done: 0 }
  const locks = watchLocks({
    sql: arena.sql,
    fault: arena.node.fault,
    addresses: arena.addresses,
    holds: () => 0
  })
  const every = Math.ceil(attempts / REPORTS)
  let taken = 0
  const take = () => {
    if (taken >= attempts) return false
    if (++taken % every === 0)
      say(`${taken} races, ${arena.requests()} requests, ${book.broken.length} broken, ${seconds()} s`)
    return true
  }
  await Promise.all(Array.from({ length: atOnce }, (_, lane) => runLane(arena, lane, options, book, take)))
  const raced = seconds()
  await locks.stop()
  const sentByRecovery = await silence(arena)
  await checkLater(arena, book)
  const seen = { broken: book.broken, heldLocks: locks.found, sentByRecovery }
  const verdicts = await audit(arena, book.told, seen)
  const violations = verdicts.reduce((sum, verdict) => sum + verdict.violations.length, 0)
  const record = {
    campaign: "races",
    at: new Date().toISOString(),
    seed,
    attempts: book.done,
    replicas,
    seconds: raced,
    requests: arena.requests(),
    repeats: arena.repeats(),
    sends: arena.node.arrivals() + arena.sponsoring.node.arrivals(),
    published: arena.sponsoring.provider.publications.length,
    carried: arena.operating?.bundler.sent.length ?? 0,
    executed: arena.operating === undefined ? 0 : (await carriedOutOn(arena.operating.chainUrl)).size,
    slowedCalls: locks.calls(),
    kinds: book.counts,
    violations
  }
  return { record, verdicts, counts: book.counts, violations }
}

export const runRaces = async (options: RacesOptions): Promise<RacesResult> => {
  const isOperated = Object.keys(options.races).some(name => name in RACES_OF_WALLETS)
  const arena = await openArena(options.replicas, "long", isOperated)
  try {
    return await race(arena, options)
  } finally {
    await arena.stop()
  }
}
