/** What becomes of the sponsorships of a run once everybody is done with them: the service has to say what the chain has. */
import type { Failpoint } from "../../../src/values/Failpoint.ts"
import { endsOf, isExecuted } from "../sponsored/Ends.ts"
import { type Executions, executionsOn } from "../sponsored/Executions.ts"
import { lapseAll } from "../sponsored/Lapse.ts"
import { AT_THE_END } from "./Blows.ts"
import type { Fleet } from "./Fleet.ts"
import type { Brought } from "./SponsoredLane.ts"
import { FORWARD_SECONDS, type World } from "./World.ts"

const PATIENCE_MILLIS = 120_000
const POLL_MILLIS = 300
const AT_ONCE = 8

const sleep = (millis: number) => new Promise<void>(resolve => setTimeout(resolve, millis))

type Patient = (isSo: () => Promise<boolean>) => Promise<boolean>

/** All of them have as long together. */
const patiently = (): Patient => {
  const end = Date.now() + PATIENCE_MILLIS
  return async isSo => {
    while (!(await isSo())) {
      if (Date.now() > end) return false
      await sleep(POLL_MILLIS)
    }
    return true
  }
}

/** Whether the provider executes it in time. */
export const isCarriedOut = (
  { chainUrl, forwarder }: World,
  { sponsorship }: Brought,
  patient = patiently()
): Promise<boolean> => {
  const signer = sponsorship.authorizations[0]?.message.from
  return patient(async () => isExecuted(await executionsOn(chainUrl, forwarder, signer), sponsorship))
}

/** What was paid and is not executed by the provider, whatever the service knows of it. */
const unexecuted = async (world: World, brought: ReadonlyArray<Brought>) => {
  const patient = patiently()
  const found: Array<string> = []
  for (const one of brought.filter(({ isPaid }) => isPaid))
    if (!(await isCarriedOut(world, one, patient)))
      found.push(`${one.sponsorship.id} was paid and never executed`)
  return found
}

/** One whose bot lost its right first was never published. */
const isSubmitted = async ({ sql }: World, { sponsorship: { id } }: Brought): Promise<boolean> =>
  (await sql("SELECT 1 FROM publications WHERE sponsorship = $1", [id])).length > 0

/** Whether it came to be there in time, and where it is. */
const endOf = async (world: World, one: Brought, executions: Executions, patient: Patient) => {
  const ends: ReadonlyArray<string> = (await isSubmitted(world, one))
    ? endsOf(executions, one.sponsorship)
    : ["prepared", "expired"]
  let state = ""
  const isThere = async () => {
    state = (await one.look()).state
    return ends.includes(state)
  }
  const isRight = await patient(isThere)
  return { state, wrong: isRight ? [] : [`${one.sponsorship.id} is ${state}, not ${ends.join(" or ")}`] }
}

const DEATHS = 3

export interface Dying {
  readonly fleet: Fleet
  readonly failpoints: ReadonlyArray<Failpoint>
  readonly died: (at: Failpoint) => void
}

/** Processes that die while they prove that requests can be executed no more. */
const dieProving = async ({ fleet, failpoints, died }: Dying, open: ReadonlyArray<Brought>) => {
  for (const at of failpoints.filter(each => AT_THE_END.includes(each))) {
    let deaths = 0
    for (const one of open) {
      if (deaths === DEATHS) break
      const victim = await fleet.take()
      victim.arm({ at, act: "kill" })
      await one.look(victim.url)
      if (victim.isAlive()) fleet.giveBack(victim)
      else {
        died(at)
        deaths++
      }
    }
  }
}

export interface SponsoredEnds {
  /** How many came to be in which state. */
  readonly states: Readonly<Record<string, number>>
  readonly wrong: ReadonlyArray<string>
}

export const sponsoredEnds = async (
  world: World,
  dying: Dying,
  brought: ReadonlyArray<Brought>
): Promise<SponsoredEnds> => {
  const { chainUrl, forwarder, mortal } = world
  await mortal.spare()
  const wrong: Array<string> = [...(await unexecuted(world, brought))]
  await lapseAll(chainUrl, FORWARD_SECONDS + 60)
  const executions = await executionsOn(chainUrl, forwarder)
  const open = brought.filter(({ sponsorship }) => !isExecuted(executions, sponsorship))
  await dieProving(dying, open)
  const patient = patiently()
  const waiting = brought.values()
  const states: Record<string, number> = {}
  const lane = async () => {
    for (const one of waiting) {
      const end = await endOf(world, one, executions, patient)
      states[end.state] = (states[end.state] ?? 0) + 1
      wrong.push(...end.wrong)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return { states, wrong }
}
