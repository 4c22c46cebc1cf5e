/** How a payout is divided between a project's splits and its owner, and what of it arrives. */
import { Effect, Schema } from "effect"
import { ReadLimitExceeded } from "../../projects/refusals.ts"
import type { DependentCall } from "../../protocol/DependentCalls.ts"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { type RulesetWithMetadata, Split } from "../../protocol/ProjectRecords.ts"
import type { Address } from "../../values/Scalars.ts"
import { AT_ONCE, currentAddressOf } from "../shared/context/Core.ts"
import { divide, type Paid, payoutsOf } from "../shared/economics/Payouts.ts"
import { type Fate, ownerFate, type Paying, splitFate } from "./PayoutRecipients.ts"
import type { Distribution } from "./Schemas.ts"
import { requireFeelessAddresses } from "./TerminalAccount.ts"

const MOST_SPLITS = 64
const RULESET_ID = 1

const groupOf = ({ token }: Pick<Paying, "token">): string => BigInt(token).toString()

/** The splits of the running ruleset, in the round trip that finds it, and what else rests on it. */
export const foreseeSplits = (
  snapshot: PinnedSnapshot,
  paying: Omit<Paying, "terminal">,
  others: ReadonlyArray<DependentCall>
): Effect.Effect<void> => {
  const { projectId } = paying.project
  const [controller, splits] = (["JBController", "JBSplits"] as const).map(name =>
    currentAddressOf(snapshot, name)
  )
  if (controller === undefined || splits === undefined) return Effect.void
  const id = { call: 0, index: RULESET_ID }
  return snapshot.foresee([
    { to: controller, signature: "currentRulesetOf(uint256)", words: [projectId] },
    { to: splits, signature: "splitsOf(uint256,uint256,uint256)", words: [projectId, id, groupOf(paying)] },
    ...others
  ])
}

/** What cannot be foreseen is taken to arrive, and said to be unknown. */
const isReached = ({ failure }: Fate): boolean => failure.status === "unknown" || failure.value === null

const recipient = (fate: Fate) => ({ isFeeless: fate.isFeeless, isReached: isReached(fate) })

const shown = ({ amount, net }: Paid, { failure }: Fate) => ({
  amount: String(amount),
  netAfterFee: String(net),
  failure
})

const splitsOf = Effect.fnUntraced(function* (
  { read }: PinnedSnapshot,
  paying: Paying,
  { ruleset }: RulesetWithMetadata
) {
  const args = [paying.project.projectId, ruleset.id, groupOf(paying)] as const
  const splits = yield* read("JBSplits", "splitsOf", args, Schema.Array(Split))
  if (splits.length > MOST_SPLITS)
    return yield* new ReadLimitExceeded({ context: { count: splits.length, limit: MOST_SPLITS } })
  return splits.map(split => ({ split, percent: BigInt(split.percent) }))
})

/** One round trip where the splits were foreseen. */
export const distributionOf = Effect.fn("Quotes.distribution")(function* (
  snapshot: PinnedSnapshot,
  paying: Paying,
  owner: Address,
  { current, total }: { readonly current: RulesetWithMetadata; readonly total: bigint }
) {
  const shares = yield* splitsOf(snapshot, paying, current)
  const { amounts, leftover } = divide(total, shares)
  const found = yield* Effect.all(
    {
      kept: requireFeelessAddresses(snapshot),
      owner: ownerFate(snapshot, paying, owner, leftover),
      splits: Effect.forEach(
        shares,
        ({ split }, index) => splitFate(snapshot, paying, split, amounts[index] ?? 0n),
        AT_ONCE
      )
    },
    AT_ONCE
  )
  const fated = shares.flatMap((share, index) => {
    const fate = found.splits[index]
    return fate === undefined ? [] : [{ ...share, ...recipient(fate), fate }]
  })
  const paid = payoutsOf(total, fated, recipient(found.owner))
  const distribution: typeof Distribution.Type = {
    splits: fated.flatMap(({ split, fate }, index) => {
      const part = paid.recipients[index]
      return part === undefined ? [] : [{ split, ...shown(part, fate) }]
    }),
    owner: shown(paid.owner, found.owner),
    fee: String(paid.fee),
    feeIsHeld: current.metadata.holdFees,
    returned: String(paid.returned)
  }
  return distribution
})
