/** A sponsorship in words, before its requests are signed: who pays the gas, and how long what is signed holds. */
import { formatUnits } from "viem"
import { chosenPayment } from "../client/ChosenPayment.ts"
import type { Sponsorship } from "../sponsorship/Sponsorship.ts"
import { outerGas } from "../values/ForwardRequest.ts"
import { NATIVE_DECIMALS, nativeAmount } from "./Amounts.ts"
import { distanceText, instantText } from "./Times.ts"
import { amount, exact, type Piece, type ReviewRow, row, toned, words } from "./Words.ts"

const COUNTS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
/** From then on the name of a day would be another one's too. */
const DAYS_APART_MS = 6 * 86_400_000

type Requests = Pick<Sponsorship, "authorizations">

/** Milliseconds at which the last of the requests ends. */
const endOf = ({ authorizations }: Requests): number =>
  Math.max(...authorizations.map(({ message }) => Number(message.deadline))) * 1000

const dayText = (millis: number, now: number): string =>
  Math.abs(millis - now) < DAYS_APART_MS
    ? `on ${DAYS[new Date(millis).getUTCDay()]}`
    : `on ${instantText(millis).slice(0, 10)}`

/** Two digits that say something, as in 0.0031. */
const roughly = (wei: bigint): string => {
  const unit = 10n ** BigInt(Math.max(0, String(wei).length - 2))
  return formatUnits(((wei + unit / 2n) / unit) * unit, NATIVE_DECIMALS)
}

/** All that the forwarders may use for the requests. */
const sponsoredGas = ({ authorizations }: Requests): bigint =>
  authorizations.reduce((sum, { message }) => sum + outerGas(message), 0n)

/** What the requests send beside their gas, which the provider's price holds too. */
const sentOn = ({ authorizations }: Requests): bigint =>
  authorizations.reduce((sum, { message }) => sum + BigInt(message.value), 0n)

type Standing = Requests & Partial<Pick<Sponsorship, "quote" | "funding" | "state" | "submission">>

const EXECUTED: ReadonlyArray<Sponsorship["state"] | undefined> = ["execution_verified", "completed"]
const ENDED: typeof EXECUTED = [...EXECUTED, "failed", "lapsed"]

const etherOf = (wei: bigint): Piece => amount(`${formatUnits(wei, NATIVE_DECIMALS)} ETH`)

/** The payer is the owner of the requests, whoever executes them. */
const priceSentence = ({ state, funding }: Standing, price: bigint, sent: bigint): ReadonlyArray<Piece> => {
  const isPaid = funding?.state === "confirmed"
  if (!isPaid && ENDED.includes(state))
    return [
      words(" The provider asked "),
      etherOf(price),
      words("; no confirmed payment of it is known here.")
    ]
  const sentence = [
    words(isPaid ? " You paid the provider " : " Beforehand you pay the provider "),
    etherOf(price)
  ]
  if (sent === 0n) return [...sentence, words(".")]
  const verb = isPaid && EXECUTED.includes(state) ? "was" : "is"
  return [...sentence, words(", of which "), etherOf(sent), words(` ${verb} sent on.`)]
}

const costOf = (gas: bigint, weiPerGas: bigint | undefined, price: bigint | undefined, sent: bigint) => {
  if (price === undefined) return weiPerGas && gas * weiPerGas
  return price > sent ? price - sent : 0n
}

const requestsText = ({ authorizations: { length } }: Requests): string =>
  `${COUNTS[length] ?? length} request${length === 1 ? "" : "s"}`

const endText = (sponsorship: Standing, now: number): string => {
  if (sponsorship.submission !== undefined) return `you signed ${requestsText(sponsorship)}`
  const ends = sponsorship.authorizations.length === 1 ? "ends" : "end"
  return `you sign ${requestsText(sponsorship)} that ${ends} ${dayText(endOf(sponsorship), now)}`
}

/** Once the provider's price is known the gas is what it asks beside what is sent; before, what it costs at the chain's price, where that is known. */
export const sponsorSentence = (
  sponsorship: Standing,
  now: number,
  weiPerGas?: bigint
): ReadonlyArray<Piece> => {
  const payment = chosenPayment(sponsorship)
  const gas = sponsoredGas(sponsorship)
  const price = payment && BigInt(payment.value)
  const sent = sentOn(sponsorship)
  const cost = costOf(gas, weiPerGas, price, sent)
  return [
    words(`Somebody else ${EXECUTED.includes(sponsorship.state) ? "paid" : "pays"} `),
    cost === undefined ? amount(`up to ${gas} gas`) : amount(`about ${roughly(cost)} ETH of gas`),
    words(`; ${endText(sponsorship, now)}.`),
    ...(price === undefined ? [] : priceSentence(sponsorship, price, sent))
  ]
}

/** What is signed, request by request. */
export const requestRows = ({ authorizations }: Requests, now: number): ReadonlyArray<ReviewRow> =>
  authorizations.map(({ stepIndex, chainId, forwarder, message, digest }) => {
    const end = Number(message.deadline) * 1000
    return {
      ...row(
        `step ${stepIndex}`,
        words("by the forwarder "),
        exact(forwarder),
        words(` on chain ${chainId}`)
      ),
      rows: [
        row("to", exact(message.to)),
        row("sends", ...nativeAmount(message.value)),
        row("gas limit", exact(message.gas)),
        row("nonce", exact(message.nonce)),
        row("ends", words(`${instantText(end)}, ${distanceText(end, now)}`)),
        toned("key", row("digest", exact(digest)))
      ]
    }
  })
