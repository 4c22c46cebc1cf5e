/** How a payout is divided between a project's splits and its owner, and who of them owes the protocol's fee. */
import { Effect, Schema } from "effect"
import { ReadLimitExceeded } from "../../projects/refusals.ts"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { Split } from "../../protocol/ProjectRecords.ts"
import { Address, ZERO_ADDRESS } from "../../values/Scalars.ts"
import { AT_ONCE, currentAddressOf } from "../context/Core.ts"
import { payoutsOf } from "../economics/Payouts.ts"
import { requireFeelessAddresses } from "./TerminalAccount.ts"

interface Paying {
  readonly project: { readonly projectId: string }
  readonly account: Address
  readonly token: Address
}

const MOST_SPLITS = 64
const RULESET_ID = 1
const PRIMARY_TERMINAL = "primaryTerminalOf(uint256,address)"
const IS_FEELESS = "isFeelessFor(address,uint256,address)"

const groupOf = ({ token }: Paying): string => BigInt(token).toString()

/** The splits of the running ruleset, in the round trip that finds it. */
export const foreseeSplits = (snapshot: PinnedSnapshot, paying: Paying): Effect.Effect<void> => {
  const { projectId } = paying.project
  const [controller, splits] = ["JBController", "JBSplits"].map(name => currentAddressOf(snapshot, name))
  if (controller === undefined || splits === undefined) return Effect.void
  const id = { call: 0, index: RULESET_ID }
  return snapshot.foresee([
    { to: controller, signature: "currentRulesetOf(uint256)", words: [projectId] },
    { to: splits, signature: "splitsOf(uint256,uint256,uint256)", words: [projectId, id, groupOf(paying)] }
  ])
}

const isToProject = ({ hook, projectId }: Split): boolean => hook === ZERO_ADDRESS && projectId !== "0"

/** Which terminal a split's project takes the token by, and whether that is feeless, in one round trip. */
const foreseeTerminal = (snapshot: PinnedSnapshot, { project, account, token }: Paying, split: Split) => {
  const [directory, feeless] = ["JBDirectory", "JBFeelessAddresses"].map(name =>
    currentAddressOf(snapshot, name)
  )
  if (directory === undefined || feeless === undefined) return Effect.void
  const terminal = { call: 0, index: 0 }
  return snapshot.foresee([
    { to: directory, signature: PRIMARY_TERMINAL, words: [split.projectId, token] },
    { to: feeless, signature: IS_FEELESS, words: [terminal, project.projectId, account] }
  ])
}

const isFeelessOf = ({ read }: PinnedSnapshot, { project, account }: Paying, recipient: Address) =>
  read("JBFeelessAddresses", "isFeelessFor", [recipient, project.projectId, account], Schema.Boolean)

interface Recipient {
  readonly isFeeless: boolean
  /** A project without a terminal for the token cannot be paid: its part goes back to the paying project. */
  readonly isReached: boolean
}

const projectOf = Effect.fnUntraced(function* (snapshot: PinnedSnapshot, paying: Paying, split: Split) {
  const found = snapshot.read("JBDirectory", "primaryTerminalOf", [split.projectId, paying.token], Address)
  yield* foreseeTerminal(snapshot, paying, split)
  const terminal = yield* found
  if (terminal === ZERO_ADDRESS) return { isFeeless: true, isReached: false }
  const isFeeless =
    terminal === (yield* snapshot.addressOf("JBMultiTerminal")) ||
    (yield* isFeelessOf(snapshot, paying, terminal))
  return { isFeeless, isReached: true }
})

const recipientOf = (snapshot: PinnedSnapshot, paying: Paying) => (split: Split) => {
  if (isToProject(split)) return projectOf(snapshot, paying, split)
  const beneficiary = split.beneficiary === ZERO_ADDRESS ? paying.account : split.beneficiary
  const recipient = split.hook === ZERO_ADDRESS ? beneficiary : split.hook
  return Effect.map(
    isFeelessOf(snapshot, paying, recipient),
    (isFeeless): Recipient => ({
      isFeeless,
      isReached: true
    })
  )
}

const shown = ({ amount, net }: { readonly amount: bigint; readonly net: bigint }) => ({
  amount: String(amount),
  netAfterFee: String(net)
})

const divided = (
  total: bigint,
  splits: ReadonlyArray<Split>,
  found: ReadonlyArray<Recipient>,
  ownerIsFeeless: boolean
) => {
  const shares = found.map(({ isFeeless }, index) => ({
    percent: BigInt(splits[index]?.percent ?? 0),
    isFeeless
  }))
  const { recipients, owner, fee } = payoutsOf(total, shares, ownerIsFeeless)
  return {
    splits: splits.map((split, index) => {
      const { amount, net } = recipients[index] ?? { amount: 0n, net: 0n }
      return { split, ...shown({ amount, net: found[index]?.isReached ? net : 0n }) }
    }),
    owner: shown(owner),
    fee: String(fee)
  }
}

/** One round trip where the splits were foreseen. */
export const distributionOf = Effect.fn("Quotes.distribution")(function* (
  snapshot: PinnedSnapshot,
  paying: Paying,
  owner: Address,
  { rulesetId, total }: { readonly rulesetId: string; readonly total: bigint }
) {
  const args = [paying.project.projectId, rulesetId, groupOf(paying)]
  const splits = yield* snapshot.read("JBSplits", "splitsOf", args, Schema.Array(Split))
  if (splits.length > MOST_SPLITS)
    return yield* new ReadLimitExceeded({ context: { count: splits.length, limit: MOST_SPLITS } })
  const found = yield* Effect.all(
    {
      kept: requireFeelessAddresses(snapshot),
      ownerIsFeeless: isFeelessOf(snapshot, paying, owner),
      recipients: Effect.forEach(splits, recipientOf(snapshot, paying), AT_ONCE)
    },
    AT_ONCE
  )
  return divided(total, splits, found.recipients, found.ownerIsFeeless)
})
