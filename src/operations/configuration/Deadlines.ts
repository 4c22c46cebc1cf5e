/** The approval hooks of the protocol: each wants a ruleset queued so long before it starts. */
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import type { DelayOf } from "./Succession.ts"

const HOUR = 3_600n
const DAY = 24n * HOUR

const DEADLINES = [
  ["JBDeadline3Hours", 3n * HOUR],
  ["JBDeadline1Day", DAY],
  ["JBDeadline3Days", 3n * DAY],
  ["JBDeadline7Days", 7n * DAY]
] as const

export const delaysOn =
  ({ deploymentsOf }: PinnedSnapshot): DelayOf =>
  hook =>
    DEADLINES.find(([name]) => deploymentsOf(name).some(({ address }) => address === hook))?.[1]
