/** Splits to projects that cannot take what is sent to them: the project itself, and one that does not exist. */
import type { Observed } from "../../values/Observed.ts"

interface Split {
  readonly projectId: string
  /** Which gets it, whatever project is named. */
  readonly hook?: string
}

export interface Splitting {
  readonly splitGroups: ReadonlyArray<{ readonly groupId: string; readonly splits: ReadonlyArray<Split> }>
}

/** Of the tokens that a ruleset reserves; each other group is of payouts in a token. */
const RESERVED_GROUP = 1n

const splitsIn = (
  configurations: ReadonlyArray<Splitting>,
  isOne: (groupId: bigint) => boolean
): ReadonlyArray<Split> =>
  configurations.flatMap(({ splitGroups }) =>
    splitGroups.flatMap(({ groupId, splits }) => (isOne(BigInt(groupId)) ? splits : []))
  )

const NO_PROJECT = 0n

export interface Known {
  /** How many projects the chain has: their ids are from 1 to it. */
  readonly count: Observed<string>
  /** The project that the splits are of; a launch makes the next one. */
  readonly own: bigint | "next"
}

interface Words {
  readonly splits: string
  readonly split: string
  /** What becomes of a part for a project that cannot take it. */
  readonly toItself: string
  readonly toNobody: string
}

const PAYOUTS: Words = {
  split: "A split",
  splits: "Splits",
  toItself: "a payout to the project itself fails and stays with it",
  toNobody: "a payout there fails and stays with the project"
}

/** What a sale forwards. */
export const OF_TIERS: Words = {
  split: "A split of a tier",
  splits: "Splits of tiers",
  toItself: "what a sale sends to the project itself is no part for somebody else",
  toNobody: "what a sale sends there cannot be paid in"
}

/** A project that takes no payments in the token gets none of it, and nothing comes back. */
const TO_BENEFICIARY = "what is for it goes to the split's beneficiary"

const OF_RESERVED: Words = {
  split: "A split of reserved tokens",
  splits: "Splits of reserved tokens",
  toItself: `${TO_BENEFICIARY}, unless the project takes payments in its own token`,
  toNobody: TO_BENEFICIARY
}

/** Of the tokens that a stage reserves. */
export const OF_STAGES: Words = {
  split: "A split of a stage",
  splits: "Splits of stages",
  toItself: `${TO_BENEFICIARY}, unless the revnet takes payments in its own token`,
  toNobody: TO_BENEFICIARY
}

const isHooked = ({ hook }: Split): boolean => hook !== undefined && BigInt(hook) !== 0n

const namedBy = (splits: ReadonlyArray<Split>): ReadonlyArray<bigint> =>
  [...new Set(splits.filter(split => !isHooked(split)).map(({ projectId }) => BigInt(projectId)))]
    .filter(id => id !== NO_PROJECT)
    .sort((a, b) => (a < b ? -1 : 1))

/** A plan's warning is of 4,000 characters at most. */
const MOST_LISTED = 20

const listed = (ids: ReadonlyArray<bigint>) => {
  const further = ids.length > MOST_LISTED ? ` and ${ids.length - MOST_LISTED} more` : ""
  return `project${ids.length === 1 ? "" : "s"} ${ids.slice(0, MOST_LISTED).join(", ")}${further}`
}

const itself = (id: bigint, own: Known["own"], { split, toItself }: Words) =>
  own === "next"
    ? `${split} names project ${id}, the id that this launch gets if no other project is made before: ${toItself}.`
    : `${split} names project ${id} itself: ${toItself}.`

export const splitWarnings = (
  splits: ReadonlyArray<Split>,
  { count, own }: Known,
  words: Words = PAYOUTS
): ReadonlyArray<string> => {
  const named = namedBy(splits)
  if (named.length === 0) return []
  if (count.status === "unknown")
    return [`Whether ${listed(named)}, which splits name, exist could not be read.`]
  const last = BigInt(count.value)
  const self = own === "next" ? last + 1n : own
  const absent = named.filter(id => id > last && id !== self)
  return [
    ...named.filter(id => id === self).map(id => itself(id, own, words)),
    ...(absent.length === 0
      ? []
      : [
          `${words.splits} name ${listed(absent)}, which the chain does not have: ${words.toNobody}, until somebody else makes a project of that id.`
        ])
  ]
}

export const rulesetSplitWarnings = (
  configurations: ReadonlyArray<Splitting>,
  known: Known
): ReadonlyArray<string> => [
  ...splitWarnings(
    splitsIn(configurations, id => id !== RESERVED_GROUP),
    known
  ),
  ...splitWarnings(
    splitsIn(configurations, id => id === RESERVED_GROUP),
    known,
    OF_RESERVED
  )
]
