/** What a payout's sender has to know of whom it does not reach, by name, and of the fee. */
import type { Split } from "../../protocol/ProjectRecords.ts"
import type { Observed } from "../../values/Observed.ts"
import { ZERO_ADDRESS } from "../../values/Scalars.ts"
import { isToProject } from "./PayoutRecipients.ts"
import type { Distribution } from "./Schemas.ts"

type Divided = typeof Distribution.Type
type Part = Pick<Divided["owner"], "amount" | "failure">

const GENERAL = [
  "A split that fails does not revert the payout: its part stays with the project.",
  "The protocol's fee is taken from what leaves the protocol, of each recipient by itself and rounded down, not from what reaches projects of the same terminal or feeless addresses."
]
const OWNER_ONLY = "Only the project's owner, or who has permission 5 of it, may send these payouts."
const UNFORESEEN = "Whether every part can be paid could not be foreseen."

const nameOf = (split: Split): string => {
  if (isToProject(split)) return `to project ${split.projectId}`
  if (split.hook !== ZERO_ADDRESS) return `to the hook ${split.hook}`
  return split.beneficiary === ZERO_ADDRESS ? "to the sender" : `to ${split.beneficiary}`
}

const failing = (name: string, { amount, failure }: Part): ReadonlyArray<string> => {
  if (failure.status === "unknown" || failure.value === null) return []
  return [`${name} cannot be paid now, so that its ${amount} stay with the project. ${failure.value}`]
}

const empty = (name: string, { amount }: Part): ReadonlyArray<string> =>
  amount === "0" ? [`${name} gets nothing: its part is less than the smallest unit of the token.`] : []

/** A plan holds 64 warnings; the distribution names every split. */
const MOST_OF_SPLITS = 40

const ofSplits = (divided: Divided): ReadonlyArray<string> => {
  const all = ofEachSplit(divided)
  const others = all.length - MOST_OF_SPLITS
  return others <= 0
    ? all
    : [
        ...all.slice(0, MOST_OF_SPLITS),
        `So it is with ${others} more of the splits, as the distribution shows.`
      ]
}

const ofEachSplit = ({ splits }: Divided) =>
  splits.flatMap(({ split, ...part }, index) => {
    const name = `Split ${index + 1}, ${nameOf(split)},`
    return [...failing(name, part), ...empty(name, part)]
  })

const ofFee = ({ fee, feeIsHeld }: Divided): ReadonlyArray<string> =>
  feeIsHeld
    ? [
        `The fee of ${fee} is held by the terminal for 28 days: adding to the project's balance with shouldReturnHeldFees gives it back in parts, afterwards anybody may have it processed.`
      ]
    : []

const isUnforeseen = ({ splits, owner }: Divided): boolean =>
  [...splits, owner].some(({ failure }) => failure.status === "unknown")

const ofDistribution = (distribution: Observed<Divided>): ReadonlyArray<string> => {
  if (distribution.status === "unknown") return [UNFORESEEN]
  const { value } = distribution
  return [
    ...ofSplits(value),
    ...failing("The project's owner", value.owner),
    ...ofFee(value),
    ...(isUnforeseen(value) ? [UNFORESEEN] : [])
  ]
}

export const payoutWarnings = (
  distribution: Observed<Divided>,
  ownerMustSendPayouts: boolean
): ReadonlyArray<string> => [
  ...GENERAL,
  ...ofDistribution(distribution),
  ...(ownerMustSendPayouts ? [OWNER_ONLY] : [])
]
