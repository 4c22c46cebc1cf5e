/** Hours of everything at once over three processes, one of which lives through all of it and may not grow. */
import { readdir } from "node:fs/promises"
import { setTimeout as sleep } from "node:timers/promises"
import { builtProgram } from "../../support/BuiltProgram.ts"
import { type Chance, chanceFrom } from "../crash/Chance.ts"
import { conclude } from "../crash/Conclusion.ts"
import { type Fleet, makeFleet, type Replica } from "../crash/Fleet.ts"
import { makeHolds } from "../crash/Holds.ts"
import type { Stage } from "../crash/Lane.ts"
import { startMining } from "../crash/Mining.ts"
import { makeParty, type Surroundings } from "../crash/Party.ts"
import type { Ears, Running } from "../crash/Processes.ts"
import { makeTurnstile, silence, unconfirmed } from "../crash/Silence.ts"
import { emptyNotebook } from "../crash/Told.ts"
import { makeWallet } from "../crash/Wallet.ts"
import { createWorld, type World } from "../crash/World.ts"
import type { RunResult } from "../VerdictReport.ts"
import { breakThings } from "./Faults.ts"
import { type LaneName, liveOn, type Tally } from "./Lanes.ts"
import { grown, growthOf, type Held, MEGABYTE, type Sample } from "./Memory.ts"

export interface SoakOptions {
  readonly minutes: number
  readonly seed: number
  /** Begun each minute. */
  readonly acts: number
  readonly say: (line: string) => void
}

const FIRST_WALLET = 4
const WALLETS = 6
const MORTALS = 2
const MINING_MILLIS = 500
const SAMPLE_MILLIS = 60_000
const LEAST_SAMPLES = 10
const HOUR_MILLIS = 3_600_000
const UNDER_SESSIONS = 0.3
/** Of the three processes, how often a request goes to the one that lasts. */
const TO_THE_LASTING = 1 / 3

const sum = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((total, count) => total + count, 0)

/** Compiled early, by the bytes of bytecode that a function has run, and once: by its own rules the engine goes on for hours with what runs once an act. */
const COMPILED_EARLY = ["--interrupt-budget=2000", "--no-opt"]

type Lasting = Running & { readonly url: string; readonly measure: () => Promise<Held> }

const startLasting = async (world: World, errors: Array<string>): Promise<Lasting> => {
  let hear = (_usage: Held) => {}
  const ears: Ears = {
    message: usage => hear(Object(usage)),
    line: line => {
      if (line.startsWith("{")) errors.push(line)
    }
  }
  const probe = await builtProgram("test/faults/soak/probeMain.ts")
  const running = await world.startLasting(["--expose-gc", ...COMPILED_EARLY, "--import", probe], ears)
  const measure = () =>
    new Promise<Held>(resolve => {
      hear = resolve
      running.tell({ measure: true })
    })
  return { ...running, measure }
}

const asReplica = ({ url, kill, ended }: Lasting): Replica => ({
  url,
  kill,
  ended,
  isAlive: () => true,
  arm: () => {},
  resume: () => {},
  held: new Promise(() => {})
})

const sampled = async ({ pid, measure, ended }: Lasting, hours: number): Promise<Sample> => {
  const gone = ended.then(code => Promise.reject(new Error(`the lasting process ended with ${code}`)))
  const usage = await Promise.race([measure(), gone])
  const descriptors = (await readdir(`/proc/${pid}/fd`)).length
  return { ...usage, hours, descriptors }
}

interface Run {
  readonly options: SoakOptions
  readonly world: World
  readonly fleet: Fleet
  readonly lasting: Lasting
  readonly errors: ReadonlyArray<string>
}

const NAMES: ReadonlyArray<LaneName> = ["direct", "sponsored", "operations", "sessions"]

/** Everybody who acts, each lane with what is its own. */
const clientsOf = async ({ options: { seed }, world, fleet, lasting }: Run) => {
  const notebook = emptyNotebook()
  const turnstile = makeTurnstile()
  const records = { brought: [], operated: [], held: [], broken: [] }
  const around = (chance: Chance): Surroundings => {
    const anyone = () => (chance.happens(TO_THE_LASTING) ? lasting.url : fleet.any(chance))
    return { world, gate: turnstile, notebook, chance, anyone }
  }
  const newParty = async (index: number) => {
    const surroundings = around(chanceFrom(seed + index))
    const party = makeParty(makeWallet(FIRST_WALLET + index, world.chainUrl), surroundings)
    await party.enroll()
    return party
  }
  const parties = await Promise.all(Array.from({ length: WALLETS }, (_, index) => newParty(index)))
  const holds = makeHolds()
  const [first, ...others] = parties
  if (first === undefined) throw new Error("nobody acts")
  const clients = [first, ...others] as const
  const stagesOf = (chance: Chance) => {
    const shared = { world, fleet, chance, holds, around: around(chance), underSessions: UNDER_SESSIONS }
    return (): Stage => ({ ...shared, ...records, party: chance.pick(clients) })
  }
  return { notebook, turnstile, records, stagesOf }
}

/** Once a minute, for as long as it is on. */
const watch = async ({ lasting, options }: Run, isOn: () => boolean, told: () => string) => {
  const begun = Date.now()
  const samples: Array<Sample> = []
  while (isOn()) {
    await sleep(Math.min(SAMPLE_MILLIS, (options.minutes * SAMPLE_MILLIS) / LEAST_SAMPLES))
    const sample = await sampled(lasting, (Date.now() - begun) / HOUR_MILLIS)
    samples.push(sample)
    const megabytes = ({ live, resident }: Sample) => [live, resident].map(b => (b / MEGABYTE).toFixed(1))
    const [live, resident] = megabytes(sample)
    options.say(
      `${(sample.hours * 60).toFixed(0)} min: ${told()}, ${live} MB live, ${resident} MB resident, ${sample.descriptors} descriptors`
    )
  }
  return growthOf(samples)
}

const supervise = async (run: Run): Promise<RunResult> => {
  const { options, world, fleet, lasting, errors } = run
  const { notebook, turnstile, records, stagesOf } = await clientsOf(run)
  const begun = Date.now()
  const isOn = () => Date.now() < begun + options.minutes * 60_000
  const complaints: Array<string> = []
  const complain = (complaint: string) => {
    complaints.push(complaint)
    options.say(`complaint: ${complaint}`)
  }
  const tally: Tally = { acts: {}, kills: 0, complain }
  const replica = asReplica(lasting)
  const lanes = NAMES.map((name, index) => {
    const chance = chanceFrom(options.seed + 1_000 + index)
    return liveOn({
      name,
      acts: options.acts,
      chance,
      stage: stagesOf(chance),
      lasting: replica,
      isOn,
      tally
    })
  })
  const told = () => `${sum(tally.acts)} acts, ${tally.kills} kills, ${complaints.length} complaints`
  const [faults, growth] = await Promise.all([
    breakThings(world, chanceFrom(options.seed), isOn),
    watch(run, isOn, told),
    ...lanes
  ])
  options.say(`${told()}: all of it is to end`)
  const sentByRecovery = await silence(world, notebook, turnstile, unconfirmed)
  const all = { ...fleet, errors: [...fleet.errors, ...errors] }
  const brought = { world, fleet: all, notebook, ...records }
  const ending = { failpoints: [], died: () => {} }
  const { verdicts, violations, figures } = await conclude(brought, ending, { sentByRecovery, heldLocks: [] })
  const own = [
    { invariant: "the process that lasts does not grow", violations: grown(growth) },
    { invariant: "each act ends as its client expects", violations: complaints }
  ]
  const found = violations + own.reduce((count, verdict) => count + verdict.violations.length, 0)
  const { acts, kills } = tally
  const at = new Date().toISOString()
  const { seed, minutes } = options
  const record = {
    campaign: "soak",
    at,
    seed,
    minutes,
    replicas: MORTALS + 1,
    kills,
    acts,
    faults,
    ...growth
  }
  return {
    record: { ...record, ...figures, providerDeaths: world.mortal.deaths, violations: found },
    verdicts: [...own, ...verdicts],
    violations: found
  }
}

export const runSoak = async (options: SoakOptions): Promise<RunResult> => {
  const world = await createWorld(FIRST_WALLET + WALLETS, true)
  const mining = startMining(world.chainUrl, MINING_MILLIS)
  const errors: Array<string> = []
  const lasting = await startLasting(world, errors)
  const fleet = await makeFleet(world.startReplica, MORTALS)
  try {
    return await supervise({ options, world, fleet, lasting, errors })
  } finally {
    mining.stop()
    await fleet.stop()
    await lasting.kill()
    await world.stop()
  }
}
