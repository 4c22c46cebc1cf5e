/** What a project's payout limit leaves in the running cycle: the terminal pays out no more than that, and reverts for nothing of it. */
import { Effect } from "effect"
import type { DependentCall } from "../../protocol/DependentCalls.ts"
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import type { AccountingContext, Ruleset } from "../../protocol/ProjectRecords.ts"
import type { Observed } from "../../values/Observed.ts"
import { type Address, Uint256 } from "../../values/Scalars.ts"
import { AT_ONCE, currentAddressOf } from "../shared/context/Core.ts"
import { NothingToPayOut, PayoutLimitExceeded } from "./refusals.ts"

interface Paying {
  readonly project: { readonly projectId: string }
  readonly token: Address
  readonly amount: string
  readonly currency: number
}

export interface PayoutLimit {
  readonly limit: string
  readonly used: string
  readonly left: string
}

const [CYCLE_NUMBER, RULESET_ID] = [0, 1]

/** To be foreseen after `currentRulesetOf`, the first of the calls. */
export const limitCalls = (
  snapshot: PinnedSnapshot,
  { project, token, currency }: Paying,
  terminal: Address
): ReadonlyArray<DependentCall> => {
  const [limits, store] = (["JBFundAccessLimits", "JBTerminalStore"] as const).map(name =>
    currentAddressOf(snapshot, name)
  )
  if (limits === undefined || store === undefined) return []
  const { projectId } = project
  const word = (index: number) => ({ call: 0, index })
  return [
    {
      to: limits,
      signature: "payoutLimitOf(uint256,uint256,address,address,uint256)",
      words: [projectId, word(RULESET_ID), terminal, token, String(currency)]
    },
    {
      to: store,
      signature: "usedPayoutLimitOf(address,uint256,address,uint256,uint256)",
      words: [terminal, projectId, token, word(CYCLE_NUMBER), String(currency)]
    }
  ]
}

/** No round trip of its own where it was foreseen. */
export const readPayoutLimit = Effect.fn("Quotes.payoutLimit")(function* (
  { read }: PinnedSnapshot,
  { project: { projectId }, token, currency }: Paying,
  terminal: Address,
  { id, cycleNumber }: Ruleset
) {
  const ofLimit = [projectId, id, terminal, token, String(currency)] as const
  const ofUse = [terminal, projectId, token, cycleNumber, String(currency)] as const
  const { limit, used } = yield* Effect.all(
    {
      limit: read("JBFundAccessLimits", "payoutLimitOf", ofLimit, Uint256),
      used: read("JBTerminalStore", "usedPayoutLimitOf", ofUse, Uint256)
    },
    AT_ONCE
  )
  const left = BigInt(limit) - BigInt(used)
  const found: PayoutLimit = { limit, used, left: String(left > 0n ? left : 0n) }
  return found
})

/** An amount in the account's own currency shows by itself that it was cut; another one only by its limit. */
export const isCut = (
  { amount, currency }: Paying,
  paidOut: bigint,
  limit: Observed<PayoutLimit>,
  context: AccountingContext
): boolean | undefined => {
  if (String(currency) === context.currency) return paidOut < BigInt(amount)
  return limit.status === "known" ? BigInt(limit.value.left) < BigInt(amount) : undefined
}

const whyNothing = (limit: Observed<PayoutLimit>): { readonly detail?: string } => {
  if (limit.status === "unknown") return {}
  if (limit.value.limit === "0")
    return { detail: "The running ruleset has no payout limit for this token in this currency." }
  if (limit.value.left === "0") return { detail: "The payout limit of the running cycle is used up." }
  return { detail: "The amount is worth less than the smallest unit of the token." }
}

const told = (limit: Observed<PayoutLimit>) => (limit.status === "known" ? limit.value : {})

export const nothingToPayOut = ({ amount }: Paying, limit: Observed<PayoutLimit>) =>
  new NothingToPayOut({ ...whyNothing(limit), context: { amount, ...told(limit) } })

const leaves = (limit: Observed<PayoutLimit>): string =>
  limit.status === "known" ? limit.value.left : "less"

export const payoutLimitExceeded = ({ amount }: Paying, paidOut: string, limit: Observed<PayoutLimit>) =>
  new PayoutLimitExceeded({
    detail: `The payout limit leaves ${leaves(limit)} of the ${amount} that were asked for; the terminal would pay out no more, without a revert.`,
    context: { amount, amountPaidOut: paidOut, ...told(limit) }
  })

export const cutWarning = ({ amount }: Paying, paidOut: string, limit: Observed<PayoutLimit>): string =>
  `The payout limit leaves ${leaves(limit)} of the ${amount} that were asked for: the terminal pays out ${paidOut} base units of the token and does not revert.`
