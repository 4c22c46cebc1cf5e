/** Which lies are told at which calls. */
import { BadRequest, membersOf } from "./Publication.ts"

const EITHER = [
  "bundle-id",
  "ids-fewer",
  "ids-more",
  "ids-doubled",
  "ids-reordered",
  "other-forms",
  "code-replaced",
  "wire-html",
  "wire-truncated",
  "wire-large",
  "wire-drip",
  "wire-redirect",
  "wire-429",
  "wire-500",
  "wire-reset",
  "wire-late"
] as const

/** What is done with a bundle from then on. */
const CONDUCT = [
  "executes-unpaid",
  "executes-twice",
  "executes-never",
  "executes-first-only",
  "executes-batched",
  "executes-nested",
  "executes-reorged",
  "vanishes"
] as const

const OF_PUBLICATION = [
  ...CONDUCT,
  "ids-disagreeing",
  "payment-target",
  "payment-token",
  "payment-calldata",
  "payment-bundle",
  "payment-deadline",
  "payment-zero",
  "payment-negative",
  "payment-largest",
  "payment-chain-twice",
  "payment-chain-unknown",
  "payments-five"
] as const

const OF_BUNDLE = [
  "request-byte",
  "request-value",
  "request-chain",
  "quote-changes",
  "success-without-hash",
  "hash-foreign",
  "hash-reverted",
  "hash-unmined",
  "hash-other-chain",
  "hash-shared",
  "state-long"
] as const

export type Conduct = (typeof CONDUCT)[number]
export type Lie = (typeof EITHER | typeof OF_PUBLICATION | typeof OF_BUNDLE)[number]
export type Path = "publication" | "bundle"

export const LIES: Readonly<Record<Path, ReadonlyArray<Lie>>> = {
  publication: [...EITHER, ...OF_PUBLICATION],
  bundle: [...EITHER, ...OF_BUNDLE]
}

export const conductAmong = (lies: ReadonlyArray<Lie>): Conduct | undefined =>
  CONDUCT.find(conduct => lies.includes(conduct))

interface Fault {
  readonly lie: Lie
  readonly path: Path
  /** The first call that it is told at, from when it was armed; 1 is the next. */
  readonly call: number
  readonly times: number
  /** How late an answer is. */
  readonly millis: number
}

interface Armed extends Fault {
  seen: number
  told: number
}

export interface Told {
  readonly lies: ReadonlyArray<Lie>
  readonly millis: number
}

const MAXIMUM_ARMED = 100
const MAXIMUM_MILLIS = 60_000
const LATE_MILLIS = 46_000

const countOf = (value: unknown, name: string, fallback: number, maximum: number): number => {
  const count = value ?? fallback
  if (typeof count !== "number" || !Number.isInteger(count) || count < 1 || count > maximum)
    throw new BadRequest(`${name} is not an integer from 1 to ${maximum}`)
  return count
}

const faultOf = (body: unknown): Fault => {
  const { lie, path, call, times, millis } = membersOf(body, "the fault", [
    "lie",
    "path",
    "call?",
    "times?",
    "millis?"
  ])
  if (path !== "publication" && path !== "bundle") throw new BadRequest("path is not publication or bundle")
  const known = LIES[path].find(name => name === lie)
  if (known === undefined) throw new BadRequest(`lie is none of: ${LIES[path].join(", ")}`)
  return {
    lie: known,
    path,
    call: countOf(call, "call", 1, 1_000_000),
    times: countOf(times, "times", 1, 1_000_000),
    millis: countOf(millis, "millis", LATE_MILLIS, MAXIMUM_MILLIS)
  }
}

/** In memory alone: a restart forgets what is armed, but not what was promised of a bundle. */
export class Faults {
  #armed: Array<Armed> = []

  arm(body: unknown): void {
    if (this.#armed.length >= MAXIMUM_ARMED) throw new BadRequest(`${MAXIMUM_ARMED} are armed already`)
    this.#armed.push({ ...faultOf(body), seen: 0, told: 0 })
  }

  disarm(): void {
    this.#armed = []
  }

  list(): ReadonlyArray<Fault & { readonly told: number }> {
    return this.#armed.map(({ seen: _, ...fault }) => fault)
  }

  /** Counts a call, and says what is told at it. */
  at(path: Path): Told {
    const told = this.#armed.filter(fault => {
      if (fault.path !== path) return false
      fault.seen += 1
      return fault.seen >= fault.call && fault.seen < fault.call + fault.times
    })
    for (const fault of told) fault.told += 1
    return { lies: told.map(({ lie }) => lie), millis: Math.max(0, ...told.map(({ millis }) => millis)) }
  }
}
