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

export interface Recipient {
  /** What stays with a project of this terminal, or goes to a feeless address, owes nothing. */
  readonly isFeeless: boolean
  /** A part that cannot be paid goes back to the paying project, and owes nothing either. */
  readonly isReached: boolean
}

export interface Paid {
  readonly amount: bigint
  readonly fee: bigint
  /** What arrives. */
  readonly net: bigint
}

interface Payouts {
  readonly recipients: ReadonlyArray<Paid>
  readonly owner: Paid
  readonly fee: bigint
  /** What goes back to the paying project. */
  readonly returned: bigint
}

const paid = (amount: bigint, { isFeeless, isReached }: Recipient): Paid => {
  const fee = isFeeless || !isReached ? 0n : feeOn(amount)
  return { amount, fee, net: isReached ? amount - fee : 0n }
}

/** `JBMultiTerminal.sendPayoutsOf`: every recipient is charged by itself, each fee rounded down. */
export const payoutsOf = (
  total: bigint,
  splits: ReadonlyArray<Share & Recipient>,
  owner: Recipient
): Payouts => {
  const { amounts, leftover } = divide(total, splits)
  const recipients = splits.map((split, index) => paid(amounts[index] ?? 0n, split))
  const all = [...recipients, paid(leftover, owner)]
  const fee = all.reduce((sum, each) => sum + each.fee, 0n)
  const arrived = all.reduce((sum, each) => sum + each.net, 0n)
  return { recipients, owner: paid(leftover, owner), fee, returned: total - fee - arrived }
}
