/** Leads a process to its death as plotted, while the request that it was given is on its way. */
import type { Blow } from "./Blows.ts"
import type { Chance } from "./Chance.ts"
import type { Replica } from "./Fleet.ts"
import type { Holds } from "./Holds.ts"

const SLOW_MILLIS = 60
const HELD_MILLIS = 40

const sleep = (millis: number) => new Promise<void>(resolve => setTimeout(resolve, millis))

/** Slows what is sent next, before it arrives or before its answer does. */
export type Slow = (phase: "before" | "after", millis: number) => Promise<void> | void

/** Before the request that leads to the end. */
export const arm = async (victim: Replica, blow: Blow, slow: Slow): Promise<void> => {
  switch (blow.kind) {
    case "at":
      return victim.arm({ at: blow.at, act: "kill" })
    case "held":
    case "revenant":
      return victim.arm({ at: blow.at, act: "pause" })
    case "sending":
      return slow(blow.phase, SLOW_MILLIS)
    case "anytime":
    case "none":
      return
  }
}

export interface Struck {
  readonly victim: Replica
  readonly blow: Blow
  readonly chance: Chance
  readonly holds: Holds
  /** The same request by another process. */
  readonly rival: () => Promise<unknown>
}

const strikeHeld = async ({ victim, blow, chance, rival }: Struck, request: Promise<unknown>) => {
  const isOver = request.then(() => false)
  if (!(await Promise.race([victim.held.then(() => true), victim.ended.then(() => false), isOver]))) return
  const rivalry = rival()
  await Promise.race([rivalry, sleep(HELD_MILLIS)])
  if (blow.kind === "revenant") {
    victim.resume()
    await Promise.race([rivalry, sleep(chance.below(HELD_MILLIS))])
  }
  await victim.kill()
  await rivalry
}

/** While the request is on its way. */
export const strike = async (struck: Struck, request: Promise<unknown>): Promise<void> => {
  const { blow, holds, victim } = struck
  if (blow.kind === "held" || blow.kind === "revenant") {
    holds.begin()
    return strikeHeld(struck, request).finally(holds.end)
  }
  if (blow.kind === "at" || blow.kind === "none") return
  await sleep(blow.millis)
  await victim.kill()
}
