/** How a payout is divided between splits. */
import { mulDiv, SPLITS_TOTAL_PERCENT } from "./Arithmetic.ts"
import { feeOn } from "./Fees.ts"

interface Share {
  readonly percent: bigint
}

interface Division {
  /** One for each split, in order. */
  readonly amounts: ReadonlyArray<bigint>
  readonly leftover: bigint
}

/** Each split takes its part of what those before it left, so that rounding gathers in the last ones. */
export const divide = (total: bigint, splits: ReadonlyArray<Share>): Division => {
  let [leftover, percentLeft] = [total, SPLITS_TOTAL_PERCENT]
  const amounts = splits.map(({ percent }) => {
    const amount = percentLeft === 0n ? 0n : mulDiv(leftover, percent, percentLeft)
    leftover -= amount
    percentLeft -= percent
    return amount
  })
  return { amounts, leftover }
}

export interface Recipient extends Share {
  /** What stays with a project of this terminal, or goes to a feeless address, owes nothing. */
  readonly isFeeless: boolean
}

interface Payouts {
  readonly recipients: ReadonlyArray<{ readonly amount: bigint; readonly net: bigint }>
  readonly owner: { readonly amount: bigint; readonly net: bigint }
  /** Taken on the sum, so that it may exceed what the recipients were charged by a unit each. */
  readonly fee: bigint
}

const netOf = (amount: bigint, isFeeless: boolean): bigint => (isFeeless ? amount : amount - feeOn(amount))

/** `JBMultiTerminal.sendPayoutsOf`: every recipient is charged by itself, the fee is taken once on all. */
export const payoutsOf = (
  total: bigint,
  splits: ReadonlyArray<Recipient>,
  ownerIsFeeless: boolean
): Payouts => {
  const { amounts, leftover } = divide(total, splits)
  const paid = [...splits, { isFeeless: ownerIsFeeless }].map(({ isFeeless }, index) => {
    const amount = amounts[index] ?? leftover
    return { amount, net: netOf(amount, isFeeless), eligible: isFeeless ? 0n : amount }
  })
  const recipients = paid.slice(0, -1).map(({ amount, net }) => ({ amount, net }))
  const owner = { amount: leftover, net: netOf(leftover, ownerIsFeeless) }
  return { recipients, owner, fee: feeOn(paid.reduce((sum, { eligible }) => sum + eligible, 0n)) }
}
