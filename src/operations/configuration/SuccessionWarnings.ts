/** Rulesets that would never take effect, because the one that is queued next takes their place. */
import type { Observed } from "../../values/Observed.ts"
import {
  type Configuration,
  type DelayOf,
  endOfFirstCycle,
  isPassedOver,
  type Queued,
  succession
} from "./Succession.ts"

export interface Line {
  /** The newest ruleset of the project, undefined where it has none. */
  readonly latest: Observed<Queued | undefined>
  readonly configurations: ReadonlyArray<Configuration>
  readonly now: bigint
  readonly delayOf: DelayOf
}

const replaced = (ruleset: Queued, index: number): string =>
  `Configuration ${index} never takes effect: configuration ${index + 1} takes its place, for it may start before ${endOfFirstCycle(ruleset)}. With a mustStartAtOrAfter from then on it would follow, if both were queued in this block.`

const pending = (latest: Queued | undefined, [first]: ReadonlyArray<Queued>, now: bigint) =>
  latest === undefined || first === undefined || latest.start <= now || !isPassedOver(latest, first)
    ? []
    : [
        `Ruleset ${latest.id}, which is queued and has not started, never takes effect: configuration 0 takes its place, or its approval hook refuses it.`
      ]

const unforeseen = (first: number) =>
  `Whether configuration ${first} and those after it follow what is queued before them is decided by an approval hook that the service does not know.`

export const successionWarnings = ({ latest, configurations, now, delayOf }: Line): ReadonlyArray<string> => {
  if (latest.status === "unknown")
    return [
      "What is queued already could not be read, so nothing is foreseen of what the configurations replace."
    ]
  const queued = succession(latest.value, configurations, now, delayOf)
  const passed = queued.flatMap((ruleset, index) => {
    const next = queued[index + 1]
    return next !== undefined && isPassedOver(ruleset, next) ? [replaced(ruleset, index)] : []
  })
  return [
    ...pending(latest.value, queued, now),
    ...passed,
    ...(queued.length < configurations.length ? [unforeseen(queued.length)] : [])
  ]
}
