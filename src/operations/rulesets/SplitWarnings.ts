/** Splits to projects that cannot take what is sent to them: the project itself, and one that does not exist. */
import type { Observed } from "../../values/Observed.ts"

export interface Splitting {
  readonly splitGroups: ReadonlyArray<{ readonly splits: ReadonlyArray<{ readonly projectId: string }> }>
}

const NO_PROJECT = 0n

export interface Known {
  /** How many projects the chain has: their ids are from 1 to it. */
  readonly count: Observed<string>
  /** The project that the rulesets are of; a launch makes the next one. */
  readonly own: bigint | "next"
}

const namedBy = (configurations: ReadonlyArray<Splitting>): ReadonlyArray<bigint> => {
  const all = configurations.flatMap(({ splitGroups }) =>
    splitGroups.flatMap(({ splits }) => splits.map(({ projectId }) => BigInt(projectId)))
  )
  return [...new Set(all)].filter(id => id !== NO_PROJECT).sort((a, b) => (a < b ? -1 : 1))
}

const listed = (ids: ReadonlyArray<bigint>) => `project${ids.length === 1 ? "" : "s"} ${ids.join(", ")}`

const itself = (id: bigint, own: Known["own"]) =>
  own === "next"
    ? `A split names project ${id}, the id that this launch gets if no other project is made before: a payout to the project itself fails and stays with it.`
    : `A split names project ${id} itself: a payout to it fails and stays with it.`

export const splitWarnings = (
  configurations: ReadonlyArray<Splitting>,
  { count, own }: Known
): ReadonlyArray<string> => {
  const named = namedBy(configurations)
  if (named.length === 0) return []
  if (count.status === "unknown")
    return [`Whether ${listed(named)}, which splits name, exist could not be read.`]
  const last = BigInt(count.value)
  const self = own === "next" ? last + 1n : own
  const absent = named.filter(id => id > last && id !== self)
  return [
    ...named.filter(id => id === self).map(id => itself(id, own)),
    ...(absent.length === 0
      ? []
      : [
          `Splits name ${listed(absent)}, which the chain does not have: a payout there fails and stays with the project, until somebody else makes a project of that id.`
        ])
  ]
}
