/** How a process is to die, and what its client must do for it to get there. */
import { FAILPOINTS, type Failpoint } from "../../../src/values/Failpoint.ts"
import type { Chance } from "./Chance.ts"

/** The request during which it dies. */
export type Target = "create" | "submit" | "refresh" | "sweep" | Sponsoring | Operating | Holding

const SPONSORING = ["sponsor", "publish", "fund", "watch"] as const

/** Of a sponsorship: while it is prepared, published, paid by its owner, or looked at once it is executed. */
export type Sponsoring = (typeof SPONSORING)[number]

const OPERATING = ["bind", "operate", "send", "carry"] as const

/** Of a wallet's operation: while the wallet is bound, or it is prepared, sent, or looked at once it is carried out. */
export type Operating = (typeof OPERATING)[number]

const HOLDING = ["session", "admit", "observe", "retire", "lapse"] as const

/** Of a wallet's session: while it is prepared, its plans are admitted, it is looked at, revoked for good, or swept since nothing enabled it. */
export type Holding = (typeof HOLDING)[number]

/** Who submits what, and how the chain takes it. */
export type Setting = "owner" | "bot" | "dependent" | "repeat" | "known" | "refused"

export type Blow =
  /** It kills itself there. */
  | { readonly kind: "at"; readonly at: Failpoint }
  /** It is held there while a rival process gets the same request, and then killed. */
  | { readonly kind: "held"; readonly at: Failpoint }
  /** As `held`, but it goes on as if nothing had happened before it is killed. */
  | { readonly kind: "revenant"; readonly at: Failpoint }
  /** It is killed from outside, so long after its request was made. */
  | { readonly kind: "anytime"; readonly millis: number }
  /** It lives. */
  | { readonly kind: "none" }
  /** It is killed from outside while the node is slow to take the bytes, or to answer. */
  | { readonly kind: "sending"; readonly phase: "before" | "after"; readonly millis: number }

export interface Plot {
  readonly blow: Blow
  readonly target: Target
  readonly setting: Setting
}

/** Reached only once the time of all requests is over. */
export const AT_THE_END = FAILPOINTS.filter(at => at.startsWith("sponsor.dead"))

const areaOf = (at: string): string => at.split(".")[0] ?? ""

/** Of what leaves through a provider, of what leaves through a bundler, of what lets keys act, and of all else that sends something. */
export const SPONSORED_FAILPOINTS = FAILPOINTS.filter(at => areaOf(at) === "sponsor")
export const OPERATION_FAILPOINTS = FAILPOINTS.filter(at => ["binding", "operation"].includes(areaOf(at)))
export const SESSION_FAILPOINTS = FAILPOINTS.filter(at => areaOf(at) === "session")
export const OTHER_FAILPOINTS = FAILPOINTS.filter(
  at => !["sponsor", "binding", "operation", "session", "review"].includes(areaOf(at))
)

const SETTINGS: Readonly<Partial<Record<Failpoint, Setting>>> = {
  "approval.clockRead": "bot",
  "approval.verified": "bot",
  "dispatch.refreshed": "dependent",
  "dispatch.planRead": "dependent",
  "create.replayed": "repeat",
  "submit.inHand": "repeat",
  "relay.known": "known",
  "repeat.begun": "repeat",
  "repeat.committed": "repeat",
  "observed.begun": "known",
  "observed.committed": "known",
  "broadcast.refused": "refused"
}

const TARGETS: Readonly<Record<string, Target>> = {
  create: "create",
  refresh: "refresh",
  recovery: "sweep",
  sponsor: "publish",
  "sponsor.prepared": "sponsor",
  "sponsor.stored": "sponsor",
  "sponsor.located": "watch",
  "sponsor.proved": "watch",
  "sponsor.funded": "fund",
  binding: "bind",
  operation: "send",
  "operation.estimated": "operate",
  "operation.stored": "operate",
  "operation.located": "carry",
  "operation.proved": "carry",
  session: "session",
  "session.planned": "admit",
  "session.admitted": "admit",
  "session.observed": "observe",
  "session.released": "retire",
  "session.swept": "lapse"
}

const targetOf = (at: Failpoint, chance: Chance): Target => {
  const area = areaOf(at)
  return area === "request"
    ? chance.pick<Target>(["create", "submit"])
    : (TARGETS[at] ?? TARGETS[area] ?? "submit")
}

export const anySetting = (chance: Chance) =>
  chance.pick<Setting>(["owner", "owner", "owner", "bot", "bot", "dependent"])

export const SLOW_MILLIS = 60
const PAUSED = 0.15
const OUTSIDE = 0.2

/** Got to once its request was answered, when nobody rivals it any more. */
const AFTERWARDS: ReadonlyArray<Failpoint> = ["sponsor.verified"]

const isRivalled = (at: Failpoint, target: Target): boolean =>
  ["submit", "publish", "send", "session", "admit"].includes(target) && !AFTERWARDS.includes(at)

const aimedAt = (at: Failpoint, chance: Chance): Plot => {
  const target = targetOf(at, chance)
  const mayHold = isRivalled(at, target) && chance.happens(PAUSED * 2)
  const kind = mayHold ? chance.pick(["held" as const, "revenant" as const]) : "at"
  return { blow: { kind, at }, target, setting: SETTINGS[at] ?? anySetting(chance) }
}

export const isSponsoring = (target: Target): target is Sponsoring => SPONSORING.some(each => each === target)

export const isOperating = (target: Target): target is Operating => OPERATING.some(each => each === target)

export const isHolding = (target: Target): target is Holding => HOLDING.some(each => each === target)

const fromOutside = (chance: Chance, targets: Targets): Plot => {
  const setting = anySetting(chance)
  const anytime: Blow = { kind: "anytime", millis: chance.below(SLOW_MILLIS) }
  const phase = chance.pick<"before" | "after">(["before", "after"])
  const sending: Blow = { kind: "sending", phase, millis: chance.below(2 * SLOW_MILLIS) }
  const target = chance.pick(targets)
  if (isSponsoring(target) || isOperating(target) || isHolding(target))
    return { blow: chance.happens(0.5) ? anytime : sending, target, setting }
  return chance.happens(0.5)
    ? { blow: anytime, target, setting }
    : { blow: sending, target: "submit", setting: setting === "dependent" ? "owner" : setting }
}

export interface Plotter {
  readonly next: () => Plot
  /** It did not come to pass, and is due again. */
  readonly missed: (plot: Plot) => void
  /** Whether one is due again. */
  readonly owes: () => boolean
}

type Targets = readonly [Target, ...Array<Target>]

const targetsOf = (failpoints: ReadonlyArray<Failpoint>): Targets => {
  if (failpoints.every(at => SPONSORED_FAILPOINTS.includes(at))) return ["sponsor", "publish", "publish"]
  if (failpoints.every(at => OPERATION_FAILPOINTS.includes(at))) return ["operate", "send", "send"]
  if (failpoints.every(at => !OTHER_FAILPOINTS.includes(at) && !SPONSORED_FAILPOINTS.includes(at)))
    return ["session", "admit", "observe", "operate", "send", "send"]
  return ["create", "submit", "submit", "sponsor", "publish", "publish"]
}

/** Every one of the failpoints in turn, with kills from outside in between. */
export const makePlotter = (chance: Chance, all: ReadonlyArray<Failpoint>): Plotter => {
  const failpoints = all.filter(at => !AT_THE_END.includes(at))
  const targets = targetsOf(failpoints)
  let turn = 0
  const again: Array<Plot> = []
  return {
    next: () => {
      const due = again.shift()
      if (due !== undefined) return due
      if (turn >= failpoints.length && chance.happens(OUTSIDE)) return fromOutside(chance, targets)
      const at = failpoints[turn++ % failpoints.length] ?? FAILPOINTS[0]
      return aimedAt(at, chance)
    },
    missed: plot => {
      again.push(plot)
    },
    owes: () => again.length > 0
  }
}

export const nameOf = ({ blow }: Plot): string => ("at" in blow ? blow.at : blow.kind)
