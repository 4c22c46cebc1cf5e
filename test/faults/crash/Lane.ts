/** One wallet that leads processes to their deaths, one after the other, and sees to it that none of its steps is lost. */
import type { Plan } from "../../../src/plans/Plan.ts"
import { isHolding, isOperating, isSponsoring, type Plot } from "./Blows.ts"
import type { Fleet, Replica } from "./Fleet.ts"
import { performOperation } from "./OperationLane.ts"
import type { Party, Role, Work } from "./Party.ts"
import { performSession, type SessionStage } from "./SessionLane.ts"
import { newKey } from "./Speaker.ts"
import { performSponsored, type SponsoredStage } from "./SponsoredLane.ts"
import { arm, strike } from "./Strike.ts"
import type { World } from "./World.ts"

const SEND = "eth_sendRawTransaction"
const SWEEPS = 40
const SWEEP_MILLIS = 150
const TWINS = 0.25
const RIVALS = 0.15
const REVOKED = 0.3
const CONFIRMED = ["confirmed"]

const sleep = (millis: number) => new Promise<void>(resolve => setTimeout(resolve, millis))

export interface Stage extends SponsoredStage, SessionStage {
  /** Of the operations, how many are a session's. */
  readonly underSessions: number
  readonly world: World
  readonly fleet: Fleet
  readonly party: Party
}

interface Deed {
  readonly victim: Replica
  readonly plot: Plot
  readonly role: Role
  /** Absent where a plan is only being made. */
  readonly work: Work | undefined
}

const armed = ({ world }: Stage, { victim, plot: { blow } }: Deed) =>
  arm(victim, blow, (phase, millis) => world.fault({ method: SEND, phase, act: { kind: "delay", millis } }))

/** The step by another process, whose claim may have run out meanwhile. */
const rivalOf = async ({ party, chance }: Stage, { role, work }: Deed) => {
  if (work === undefined) return
  if (chance.happens(0.5)) await party.expireLease(work)
  const [signed] = work.candidates
  if (signed !== undefined) await party.submit(work, signed, role)
}

/** While the request is on its way. */
const struck = (stage: Stage, deed: Deed, request: Promise<unknown>) => {
  const { victim, plot } = deed
  const { chance, holds } = stage
  const rival = () => rivalOf(stage, deed)
  return strike({ victim, blow: plot.blow, chance, holds, rival }, request)
}

const roleFor = async ({ party, chance }: Stage, { setting }: Plot): Promise<Role> =>
  setting === "bot" || (setting !== "owner" && chance.happens(0.3)) ? party.newBot() : party.self

/** What must be so before the request that the victim gets. */
const prepare = async (
  { world, party, chance }: Stage,
  { setting, target }: Plot,
  plan: Plan,
  role: Role
) => {
  const step = plan.calls.length - 1
  if (step > 0) await party.finish(await relayed(party, plan, 0, role), role, CONFIRMED)
  const work = await party.sign(plan, step, chance.happens(RIVALS) ? 1 : 0)
  const [first] = work.candidates
  if (first === undefined) throw new Error("nothing was signed")
  if (setting === "known") await party.sendPast(first)
  const isSubmittedBefore = setting === "repeat" || target === "refresh" || target === "sweep"
  if (isSubmittedBefore) await party.submit(work, first, role)
  if (setting === "refused") {
    const phase = chance.pick<"before" | "after">(["before", "after"])
    await world.fault({ method: SEND, phase, act: { kind: "reset" } })
  }
  return { work, first }
}

const relayed = async (party: Party, plan: Plan, step: number, role: Role): Promise<Work> => {
  const work = await party.sign(plan, step, 0)
  const [signed] = work.candidates
  if (signed !== undefined) await party.submit(work, signed, role)
  return work
}

/** Makes the plan due again and again until the victim is the one that takes it. */
const sweepUntilDead = async ({ world }: Stage, victim: Replica, { plan }: Work) => {
  for (let round = 0; round < SWEEPS && victim.isAlive(); round++) {
    await world.sql("UPDATE plans SET sweep_at = unix_millis() WHERE id = $1", [plan.id])
    await sleep(SWEEP_MILLIS)
  }
}

type Prepared = Awaited<ReturnType<typeof prepare>>

const submitAll = async ({ party, chance }: Stage, { work, first }: Prepared, { role, victim }: Deed) => {
  const key = newKey()
  const { grantId } = role
  const main = party.submit(work, first, role, key, victim.url)
  const rivals = work.candidates.slice(1).map(signed => party.submit(work, signed, role))
  const twins = chance.happens(TWINS)
    ? [party.submit(work, first, role, chance.happens(0.5) ? key : newKey())]
    : []
  const isRevoked = grantId !== undefined && chance.happens(REVOKED)
  const revocations = isRevoked ? [sleep(chance.below(60)).then(() => party.revoke(grantId))] : []
  await Promise.all([main, ...rivals, ...twins, ...revocations])
}

const request = (stage: Stage, deed: Deed, prepared: Prepared): Promise<unknown> => {
  const { plot, role, victim } = deed
  if (plot.target === "sweep") return sweepUntilDead(stage, victim, prepared.work)
  return plot.target === "refresh"
    ? stage.party.show(role, prepared.work, victim.url)
    : submitAll(stage, prepared, deed)
}

const perform = async (stage: Stage, plot: Plot, victim: Replica, role: Role) => {
  const { party } = stage
  if (plot.target === "create") {
    const deed: Deed = { victim, plot, role, work: undefined }
    const draft = party.draft(1)
    if (plot.setting === "repeat") await party.create(role, draft)
    await armed(stage, deed)
    const creating = party.create(role, draft, victim.url)
    await Promise.all([struck(stage, deed, creating), creating])
    return
  }
  const plan = await party.create(role, party.draft(plot.setting === "dependent" ? 2 : 1))
  const prepared = await prepare(stage, plot, plan, role)
  const deed: Deed = { victim, plot, role, work: prepared.work }
  await armed(stage, deed)
  const asking = request(stage, deed, prepared)
  await Promise.all([struck(stage, deed, asking), asking])
  await party.finish(prepared.work, role)
}

/** One process from its first request to its end. */
export const lead = async (stage: Stage, plot: Plot, victim: Replica) => {
  if (isSponsoring(plot.target)) return performSponsored(stage, { victim, plot })
  const isHeld =
    isOperating(plot.target) && plot.target !== "bind" && stage.chance.happens(stage.underSessions)
  if (isHolding(plot.target) || isHeld) return performSession(stage, { victim, plot })
  if (isOperating(plot.target)) return performOperation(stage, { victim, plot })
  return perform(stage, plot, victim, await roleFor(stage, plot))
}

/** Whether the plotted death came about. */
export const play = async (stage: Stage, plot: Plot): Promise<boolean> => {
  const victim = await stage.fleet.take()
  await lead(stage, plot, victim)
  const isDead = !victim.isAlive()
  if (!isDead) stage.fleet.giveBack(victim)
  return isDead
}
