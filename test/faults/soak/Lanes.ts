/** What goes on all the time: each transport at a pace of its own, and now and then the process that serves it is killed. */
import { setTimeout as sleep } from "node:timers/promises"
import { anySetting, type Plot, SLOW_MILLIS, type Target } from "../crash/Blows.ts"
import type { Chance } from "../crash/Chance.ts"
import type { Replica } from "../crash/Fleet.ts"
import { lead, type Stage } from "../crash/Lane.ts"

/** Of all that is begun, the share of each lane. */
export const LANES = {
  direct: { share: 0.5, targets: ["create", "submit", "submit", "refresh"] },
  sponsored: { share: 0.2, targets: ["sponsor", "publish", "publish", "fund", "watch"] },
  operations: { share: 0.2, targets: ["bind", "operate", "send", "carry"] },
  sessions: { share: 0.1, targets: ["session", "admit", "observe", "retire"] }
} as const satisfies Readonly<
  Record<string, { readonly share: number; readonly targets: readonly [Target, ...Array<Target>] }>
>

export type LaneName = keyof typeof LANES

/** About one process each minute dies where thirty acts are begun in it. */
const KILLED = 0.03

const plotFrom = (chance: Chance, targets: readonly [Target, ...Array<Target>]): Plot => ({
  blow: chance.happens(KILLED) ? { kind: "anytime", millis: chance.below(SLOW_MILLIS) } : { kind: "none" },
  target: chance.pick(targets),
  setting: anySetting(chance)
})

export interface Tally {
  readonly acts: Record<string, number>
  kills: number
  /** Of a client whose act did not end as it expects. */
  readonly complain: (complaint: string) => void
}

export interface Lane {
  readonly name: LaneName
  readonly acts: number
  readonly chance: Chance
  /** The next client. */
  readonly stage: () => Stage
  /** Which is never killed. */
  readonly lasting: Replica
  readonly isOn: () => boolean
  readonly tally: Tally
}

const act = async ({ stage, lasting, tally }: Lane, plot: Plot) => {
  const on = stage()
  if (plot.blow.kind === "none") return lead(on, plot, lasting)
  const victim = await on.fleet.take()
  await lead(on, plot, victim)
  if (victim.isAlive()) on.fleet.giveBack(victim)
  else tally.kills++
}

/** An act that does not end as its client expects is a complaint, and the next one begins. */
export const liveOn = async (lane: Lane): Promise<void> => {
  const { name, acts, chance, isOn, tally } = lane
  const { share, targets } = LANES[name]
  const pace = 60_000 / (acts * share)
  while (isOn()) {
    const plot = plotFrom(chance, targets)
    const complain = (error: unknown) => tally.complain(`${name}, ${plot.target}: ${error}`)
    await Promise.all([act(lane, plot).catch(complain), sleep(pace)])
    tally.acts[plot.target] = (tally.acts[plot.target] ?? 0) + 1
  }
}
