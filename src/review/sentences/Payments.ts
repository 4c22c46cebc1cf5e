/** Payments into and out of projects. */
import { isNative, isOwnCurrency } from "../Amounts.ts"
import { instantText } from "../Times.ts"
import { amount, exact } from "../Words.ts"
import { chosenTiers } from "./ChosenTiers.ts"
import {
  gain,
  given,
  heldBy,
  integer,
  leastMoney,
  leastTokens,
  money,
  native,
  project,
  projectTokens,
  said,
  say,
  sent,
  type Teller,
  type Telling
} from "./Speech.ts"

/** Of the native currency a terminal takes what the call carries. */
const spent = (telling: Telling) => {
  const token = given(telling, "token")
  return isNative(String(token))
    ? native(sent(telling))
    : money(telling, token, integer(given(telling, "amount")))
}

/** Which hook has the id is not known here. */
const itemsOf = (telling: Telling) =>
  chosenTiers(given(telling, "metadata")).flatMap(
    ({ id, tiers }) =>
      say`; its metadata names ${said(tiers.length === 1 ? "tier" : "tiers")} ${said(tiers.join(", "))} for whichever hook has the id ${[exact(id)]}`
  )

export const pay: Teller = telling => {
  const id = given(telling, "projectId")
  const least = leastTokens(telling, id, integer(given(telling, "minReturnedTokens")))
  const got = gain(telling, least, given(telling, "beneficiary"))
  return say`pay ${spent(telling)} to ${project(telling, id)}${got}${itemsOf(telling)}`
}

/** Sixteen bytes, as the UUID that they are. */
const uuidOf = (bytes: string): string =>
  bytes.replace(/^0x(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")

export const prepay: Teller = telling => {
  const bundle = exact(uuidOf(String(given(telling, "bundle"))))
  const until = exact(instantText(Number(given(telling, "deadline")) * 1000))
  return say`pay ${native(sent(telling))} to the prepaid provider for bundle ${[bundle]}, until ${[until]}; that it is paid is not yet execution, and nothing is refunded`
}

export const topUp: Teller = telling =>
  say`add ${spent(telling)} to the balance of ${project(telling, given(telling, "projectId"))} and get nothing for it`

export const cashOut: Teller = telling => {
  const id = given(telling, "projectId")
  const count = projectTokens(telling, id, integer(given(telling, "cashOutCount")), "tokens")
  const least = leastMoney(
    telling,
    given(telling, "tokenToReclaim"),
    integer(given(telling, "minTokensReclaimed"))
  )
  const got = gain(telling, least, given(telling, "beneficiary"))
  const holder = heldBy(telling, given(telling, "holder"))
  return say`cash out ${count} of ${project(telling, id)}${holder}${got}`
}

const leastPaidOut = (telling: Telling): bigint => integer(given(telling, "minTokensPaidOut"))

/** An amount in another currency than the token's own becomes one of the token when it runs. */
const exchanged = (telling: Telling, worth: string) => {
  const least = leastMoney(telling, given(telling, "token"), leastPaidOut(telling))
  const units = amount(String(integer(given(telling, "amount"))))
  return say`${least}, ${said(worth)} ${[units]} in the smallest unit of currency ${[exact(given(telling, "currency"))]},`
}

const isOfToken = (telling: Telling): boolean =>
  isOwnCurrency(given(telling, "currency"), String(given(telling, "token")))

/** The terminal cuts the amount to what is left of the limit, and reverts only below the least. */
const paidOut = (telling: Telling) => {
  if (!isOfToken(telling)) return exchanged(telling, "worth up to")
  const token = given(telling, "token")
  const units = integer(given(telling, "amount"))
  const most = money(telling, token, units)
  const least = leastPaidOut(telling)
  if (least === units) return most
  return say`up to ${most}, ${least === 0n ? said("perhaps none") : leastMoney(telling, token, least)},`
}

export const sendPayouts: Teller = telling =>
  say`have ${project(telling, given(telling, "projectId"))} pay out ${paidOut(telling)} to whoever its payout splits name when it runs, and what they leave to whoever owns it`

/** Of an allowance the terminal takes the whole amount, or reverts. */
const drawn = (telling: Telling) =>
  isOfToken(telling)
    ? money(telling, given(telling, "token"), integer(given(telling, "amount")))
    : exchanged(telling, "worth")

export const drawAllowance: Teller = telling => {
  const taken = say`take ${drawn(telling)} from the surplus of ${project(telling, given(telling, "projectId"))}`
  const least = leastMoney(telling, given(telling, "token"), leastPaidOut(telling))
  return say`${taken}${gain(telling, least, given(telling, "beneficiary"))}`
}
