/** A whole run: processes die one after the other, clients go on, and in the end the four truths are compared. */
import { FAILPOINTS, type Failpoint } from "../../../src/values/Failpoint.ts"
import type { RunResult } from "../VerdictReport.ts"
import { makePlotter, nameOf, OPERATION_FAILPOINTS, type Plot, SESSION_FAILPOINTS } from "./Blows.ts"
import { chanceFrom } from "./Chance.ts"
import { type Brought, conclude } from "./Conclusion.ts"
import { makeFleet } from "./Fleet.ts"
import { type Holds, makeHolds } from "./Holds.ts"
import { play } from "./Lane.ts"
import { watchLocks } from "./Locks.ts"
import { startMining } from "./Mining.ts"
import { makeParty } from "./Party.ts"
import { makeTurnstile, sentUnconfirmed, silence, type Turnstile, unconfirmed } from "./Silence.ts"
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
/** How often in a run the clients fall silent, so that only recovery could send. */
const SILENCES = 3
const LINES_TO_A_SILENCE = 10

const sleep = (millis: number) => new Promise<void>(resolve => setTimeout(resolve, millis))

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

interface Run extends Brought {
  readonly options: CampaignOptions
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
  const { failpoints } = options
  const watched = { sentByRecovery, heldLocks: locks.found }
  const { verdicts, violations, figures } = await conclude(run, { failpoints, died: tally.died }, watched)
  const record = {
    campaign: "crash",
    at: new Date().toISOString(),
    seed: options.seed,
    kills: tally.total(),
    seconds: seconds(),
    ...figures,
    slowedCalls: locks.calls(),
    providerDeaths: world.mortal.deaths,
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
