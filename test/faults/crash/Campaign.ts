/** A whole run: processes die one after the other, clients go on, and in the end the four truths are compared. */
import { FAILPOINTS, type Failpoint } from "../../../src/values/Failpoint.ts"
import type { RunResult } from "../VerdictReport.ts"
import { audit } from "./Audit.ts"
import { auditOperated, auditSponsorships } from "./Audits.ts"
import { makePlotter, nameOf, OPERATION_FAILPOINTS, type Plot, SESSION_FAILPOINTS } from "./Blows.ts"
import { chanceFrom } from "./Chance.ts"
import { type Fleet, makeFleet } from "./Fleet.ts"
import { type Holds, makeHolds } from "./Holds.ts"
import { play } from "./Lane.ts"
import { watchLocks } from "./Locks.ts"
import { startMining } from "./Mining.ts"
import { operationEnds } from "./OperationEnd.ts"
import type { BroughtOperation } from "./OperationLane.ts"
import { makeParty } from "./Party.ts"
import { auditHeld, sessionEnds } from "./SessionEnd.ts"
import type { BroughtSession } from "./SessionLane.ts"
import { sponsoredEnds } from "./SponsoredEnd.ts"
import type { Brought } from "./SponsoredLane.ts"
import { emptyNotebook, type Notebook } from "./Told.ts"
import { makeWallet } from "./Wallet.ts"
import { createWorld, type World } from "./World.ts"

export interface CampaignOptions {
  readonly kills: number
  readonly seed: number
  /** Processes that serve at any moment. */
  readonly replicas: number
  /** Clients that each lead one process to its end at a time. */
  readonly clients: number
  /** The places where they die, in turn. */
  readonly failpoints: ReadonlyArray<Failpoint>
  readonly say: (line: string) => void
}

const FIRST_WALLET = 4
const MINING_MILLIS = 100
/** Several times the longest back-off of recovery. */
const QUIET_MILLIS = 300_000
/** How often in a run the clients fall silent, so that only recovery could send. */
const SILENCES = 3
const LINES_TO_A_SILENCE = 10

const sleep = (millis: number) => new Promise<void>(resolve => setTimeout(resolve, millis))

/** `open` tells what it still waits for. */
const until = async (what: string, open: () => Promise<ReadonlyArray<unknown>> | ReadonlyArray<unknown>) => {
  const end = Date.now() + QUIET_MILLIS
  for (;;) {
    const left = await open()
    if (left.length === 0) return
    if (Date.now() > end)
      throw new Error(`${what} did not come about in ${QUIET_MILLIS / 1000} s: ${JSON.stringify(left)}`)
    await sleep(50)
  }
}

const makeTurnstile = () => {
  let held: Promise<void> | undefined
  let release = () => {}
  return {
    open: async () => held,
    hold: () => {
      held = new Promise(resolve => {
        release = resolve
      })
    },
    letGo: () => {
      held = undefined
      release()
    }
  }
}

const UNCONFIRMED = `SELECT l.plan, l.step, l.hash, l.outcome, l.count, s.observed, p.sweep_attempts, p.sweep_at - unix_millis() AS due_in
  FROM dispatch_leases l JOIN plan_steps s ON s.plan = l.plan AND s.step = l.step JOIN plans p ON p.id = l.plan
  WHERE s.observed IS DISTINCT FROM 'confirmed'`

/** What a client has still to send again is not waited for. */
const sentUnconfirmed = (world: World): Promise<ReadonlyArray<unknown>> =>
  world.sql(`${UNCONFIRMED} AND l.outcome IS NOT NULL AND l.outcome <> 'unknown'`)

/** Once the clients have ended, the chain knows a transaction of each step, whatever its sender learned of it. */
const unconfirmed = (world: World): Promise<ReadonlyArray<unknown>> => world.sql(UNCONFIRMED)

const expireLeases = (world: World) =>
  world.sql("UPDATE dispatch_leases SET expires_at = least(expires_at, unix_millis()) WHERE outcome IS NULL")

const makeDue = (world: World) =>
  world.sql("UPDATE plans SET sweep_at = unix_millis() WHERE sweep_at IS NOT NULL")

type Turnstile = ReturnType<typeof makeTurnstile>

/** With every client silent, whatever is uncertain is left to recovery; gives how many sends that brought about. */
const silence = async (
  world: World,
  notebook: Notebook,
  turnstile: Turnstile,
  awaited: (world: World) => Promise<ReadonlyArray<unknown>>
): Promise<number> => {
  turnstile.hold()
  await until("silence", () => [...notebook.open])
  await expireLeases(world)
  const left = () =>
    world.sent().length + world.provider.publications().length + (world.operating?.sent().length ?? 0)
  const before = left()
  await makeDue(world)
  await until("recovery", () => awaited(world))
  const sent = left() - before
  turnstile.letGo()
  return sent
}

/** Kills by the place or the manner, and the places that were never reached. */
const makeTally = () => {
  const kills: Record<string, number> = {}
  const missed: Record<string, number> = {}
  let total = 0
  const count = (plot: Plot, isDead: boolean) => {
    const tally = isDead ? kills : missed
    tally[nameOf(plot)] = (tally[nameOf(plot)] ?? 0) + 1
    if (isDead) total++
  }
  const died = (at: Failpoint) => {
    kills[at] = (kills[at] ?? 0) + 1
    total++
  }
  return { kills, missed, total: () => total, count, died }
}

const COUNTS = `SELECT (SELECT count(*) FROM plans) AS plans, (SELECT count(*) FROM transport_bindings) AS admitted,
  (SELECT count(*) FROM dispatch_leases WHERE count > 1) AS reclaimed,
  (SELECT count(*) FROM bot_grants WHERE revoked_at IS NOT NULL) AS revoked`

const isDefect = (line: string) => !line.includes('"http_request"')

/** One process does everything once, so that what it compiled for that serves all later ones. */
const prime = async (world: World, notebook: Notebook, wallet: number) => {
  let kept = (_message: unknown) => {}
  const keeping = new Promise<unknown>(resolve => {
    kept = resolve
  })
  const running = await world.startReplica({ message: message => kept(message), line: () => {} })
  const gate = { open: async () => {} }
  const surroundings = { world, gate, notebook, chance: chanceFrom(0), anyone: () => running.url }
  const party = makeParty(makeWallet(wallet, world.chainUrl), surroundings)
  await party.enroll()
  for (const role of [party.self, await party.newBot()]) {
    const work = await party.sign(await party.create(role, party.draft(1)), 0, 0)
    for (const signed of work.candidates) await party.submit(work, signed, role)
    await party.finish(work, role)
  }
  running.tell({ keepCode: true })
  await keeping
  await running.kill()
}

interface Run {
  readonly options: CampaignOptions
  readonly world: World
  readonly fleet: Fleet
  readonly notebook: Notebook
  readonly brought: Array<Brought>
  readonly operated: Array<BroughtOperation>
  readonly held: Array<BroughtSession>
  readonly broken: Array<string>
}

/** Of the operations of a run with sessions, how many are theirs. */
const UNDER_SESSIONS = 0.7

const hasSessions = ({ failpoints }: CampaignOptions) =>
  failpoints.some(at => SESSION_FAILPOINTS.includes(at))

const runClients = async (run: Run, turnstile: Turnstile, holds: Holds) => {
  const { options, world, fleet, notebook, ...records } = run
  const { seed, kills, clients } = options
  const chance = chanceFrom(seed)
  const plotter = makePlotter(chance, options.failpoints)
  const tally = makeTally()
  const underSessions = hasSessions(options) ? UNDER_SESSIONS : 0
  const live = async (index: number) => {
    const own = chanceFrom(seed + 1 + index)
    const anyone = () => fleet.any(own)
    const wallet = makeWallet(FIRST_WALLET + index, world.chainUrl)
    const around = { world, gate: turnstile, notebook, chance: own, anyone }
    const party = makeParty(wallet, around)
    await party.enroll()
    while (tally.total() < kills || plotter.owes()) {
      const plot = plotter.next()
      const stage = { world, fleet, party, chance: own, holds, around, underSessions, ...records }
      const isDead = await play(stage, plot)
      tally.count(plot, isDead)
      if (!isDead) plotter.missed(plot)
    }
  }
  const all = Promise.all(Array.from({ length: clients }, (_, index) => live(index)))
  return { tally, all }
}

export interface CampaignResult extends RunResult {
  readonly kills: Readonly<Record<string, number>>
}

const supervise = async (run: Run): Promise<CampaignResult> => {
  const { options, world, fleet, notebook } = run
  const begun = Date.now()
  const seconds = () => Math.round((Date.now() - begun) / 1000)
  const turnstile = makeTurnstile()
  const holds = makeHolds()
  const locks = watchLocks({ ...world, addresses: fleet.addresses, holds: holds.count })
  const { tally, all } = await runClients(run, turnstile, holds)
  let isOn = true
  let sentByRecovery = 0
  const ended = all.finally(() => {
    isOn = false
  })
  ended.catch(() => {})
  const lines = SILENCES * LINES_TO_A_SILENCE
  for (let line = 1; isOn && line < lines; line++) {
    while (isOn && tally.total() < (options.kills * line) / lines) await sleep(50)
    if (isOn && line % LINES_TO_A_SILENCE === 0)
      sentByRecovery += await silence(world, notebook, turnstile, sentUnconfirmed)
    options.say(
      `${tally.total()} kills, ${notebook.told.length} answers, ${world.sent().length} sends, ${seconds()} s`
    )
  }
  await ended
  options.say(
    `${tally.total()} kills, ${run.brought.length} sponsorships, ${run.operated.length} operations and ${run.held.length} sessions are to end, ${seconds()} s`
  )
  sentByRecovery += await silence(world, notebook, turnstile, unconfirmed)
  await locks.stop()
  const ends = await sponsoredEnds(
    world,
    { fleet, failpoints: options.failpoints, died: tally.died },
    run.brought
  )
  const sessions = await sessionEnds(world, run.held)
  const operations = await operationEnds(world, run.operated)
  const witnessed = { heldLocks: locks.found, defects: fleet.errors.filter(isDefect) }
  const verdicts = [
    ...(await audit(world, notebook, sentByRecovery, witnessed)),
    ...(await auditSponsorships(run, ends)),
    ...(await auditOperated(run, operations)),
    ...(await auditHeld(run, sessions))
  ]
  const violations = verdicts.reduce((sum, verdict) => sum + verdict.violations.length, 0)
  const [counts] = await world.sql<Record<string, number>>(COUNTS)
  const record = {
    campaign: "crash",
    at: new Date().toISOString(),
    seed: options.seed,
    kills: tally.total(),
    seconds: seconds(),
    ...counts,
    sends: world.sent().length,
    answers: notebook.told.length,
    unanswered: notebook.lost.count,
    directly: notebook.direct.size,
    slowedCalls: locks.calls(),
    sponsored: ends.states,
    published: world.provider.publications().length,
    providerDeaths: world.mortal.deaths,
    operations: operations.states,
    sessions: sessions.states,
    carried: world.operating?.sent().length ?? 0,
    places: FAILPOINTS.filter(name => (tally.kills[name] ?? 0) > 0).length,
    landings: tally.kills,
    missed: tally.missed,
    violations
  }
  return { record, verdicts, kills: tally.kills, violations }
}

export const runCampaign = async (options: CampaignOptions): Promise<CampaignResult> => {
  const isOperated = hasSessions(options) || options.failpoints.some(at => OPERATION_FAILPOINTS.includes(at))
  const world = await createWorld(FIRST_WALLET + options.clients + 1, isOperated)
  const mining = startMining(world.chainUrl, MINING_MILLIS)
  const notebook = emptyNotebook()
  await prime(world, notebook, FIRST_WALLET + options.clients)
  const records = { brought: [], operated: [], held: [], broken: [] }
  const fleet = await makeFleet(world.startReplica, options.replicas)
  try {
    return await supervise({ options, world, fleet, notebook, ...records })
  } finally {
    mining.stop()
    await fleet.stop()
    await world.stop()
  }
}
