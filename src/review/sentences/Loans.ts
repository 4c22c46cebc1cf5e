/** Loans against the tokens of revnets. */
import { amount, exact } from "../Words.ts"
import {
  type Clause,
  given,
  heldBy,
  integer,
  leastMoney,
  native,
  project,
  projectTokens,
  said,
  say,
  sent,
  type Teller,
  type Telling,
  who
} from "./Speech.ts"

export const borrow: Teller = telling => {
  const id = given(telling, "revnetId")
  const least = leastMoney(telling, given(telling, "token"), integer(given(telling, "minBorrowAmount")))
  const count = projectTokens(telling, id, integer(given(telling, "collateralCount")), "tokens")
  const collateral = say`${count} of ${project(telling, id)}${heldBy(telling, given(telling, "holder"))}`
  return say`borrow ${least} before fees against ${collateral}, which are burned; 100 % of the loan go to ${who(telling, given(telling, "beneficiary"))}`
}

/** The bytes name no token, yet only a loan of the native currency is repaid by what the call carries. */
const most = (telling: Telling): Clause =>
  sent(telling) > 0n
    ? native(sent(telling))
    : say`${[amount(String(given(telling, "maxRepayBorrowAmount")))]} in the smallest unit of the token that was lent`

const LOANS_PER_REVNET = 10n ** 18n

/** Loans are numbered within their revnet. */
export const revnetIn = (loan: unknown): bigint => integer(loan) / LOANS_PER_REVNET

export const repay: Teller = telling => {
  const loan = given(telling, "loanId")
  const id = revnetIn(loan)
  const count = integer(given(telling, "collateralCountToReturn"))
  const back =
    count === 0n
      ? said("none of its collateral comes back")
      : say`${projectTokens(telling, id, count, "tokens")} of its collateral go to ${who(telling, given(telling, "beneficiary"))}`
  return say`repay loan ${[exact(loan)]} of ${project(telling, id)} with at most ${most(telling)}; ${back}`
}
