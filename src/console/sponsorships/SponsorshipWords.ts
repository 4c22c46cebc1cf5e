/** What a sponsorship asks of whom, in words, from the requests themselves. */
import { formatEther } from "viem"
import { nativeAmount } from "../../review/Amounts.ts"
import { distanceText, instantText } from "../../review/Times.ts"
import { amount, exact, type Piece, type ReviewRow, row, toned, words } from "../../review/Words.ts"
import type { Sponsorship } from "../../sponsorship/Sponsorship.ts"

type Request = Sponsorship["authorizations"][number]

const COUNTS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]

const requestsText = (count: number): string => `${COUNTS[count] ?? count} request${count === 1 ? "" : "s"}`

/** To two digits, for people. */
const aboutEther = (wei: bigint): string =>
  Number(formatEther(wei)).toLocaleString("en", { maximumSignificantDigits: 2, maximumFractionDigits: 18 })

const endOf = ({ authorizations }: Sponsorship): number =>
  Math.min(...authorizations.map(({ message }) => Number(message.deadline))) * 1000

const WEEK_MILLIS = 6 * 86_400_000

/** By the day's name where there is no doubt which. */
const endText = (millis: number, now: number): string => {
  const isNear = millis - now < WEEK_MILLIS
  const day = new Date(millis).toLocaleDateString("en", {
    timeZone: "UTC",
    ...(isNear ? { weekday: "long" } : { day: "numeric", month: "long", year: "numeric" })
  })
  return `on ${day}`
}

/** Of all requests, with what their forwarders need besides. */
const gasOf = ({ authorizations }: Sponsorship): bigint =>
  authorizations.reduce((sum, { message }) => sum + BigInt(message.gas), 0n)

const paidBy = (gasPrice: bigint | undefined, sponsorship: Sponsorship): ReadonlyArray<Piece> =>
  gasPrice === undefined
    ? [words("the gas")]
    : [words("about "), amount(`${aboutEther(gasPrice * gasOf(sponsorship))} ETH`), words(" of gas")]

/** `gasPrice` is of the requests' one chain, where it is known. */
export const sponsorshipSentence = (
  sponsorship: Sponsorship,
  gasPrice: bigint | undefined,
  now: number
): ReadonlyArray<Piece> => {
  const { length } = sponsorship.authorizations
  const end = endOf(sponsorship)
  const ends = `${length === 1 ? "ends" : "end"} ${endText(end, now)}`
  const what = sponsorship.submission === undefined ? "you sign" : "you signed"
  return [
    words("Somebody else pays "),
    ...paidBy(gasPrice, sponsorship),
    words(`; ${what} ${requestsText(length)} that ${end > now ? ends : "ended"}.`)
  ]
}

export const requestRows = ({ message, forwarder, digest, domain }: Request, now: number) => {
  const end = Number(message.deadline) * 1000
  return [
    row("contract", exact(message.to)),
    row("value", ...nativeAmount(message.value)),
    row("ends", words(`${instantText(end)}, ${distanceText(end, now)}`)),
    row("forwarder", exact(forwarder), words(` on chain ${domain.chainId}`)),
    toned("key", row("hash that the wallet signs", exact(digest)))
  ]
}

/** For those who want to read everything. */
export const wholeRequest = (request: Request): ReadonlyArray<ReviewRow> => {
  const { message, domain, forwarderCodeHash, targetCodeHash, evidence } = request
  return [
    row("signer", exact(message.from)),
    row("gas of the call", exact(message.gas)),
    row("nonce at the forwarder", exact(message.nonce)),
    row(
      "calldata",
      exact(message.data.slice(0, 10)),
      words(`, ${(message.data.length - 2) / 2} bytes as planned`)
    ),
    row("domain", exact(domain.name), words(" version "), exact(domain.version)),
    row("forwarder's code", exact(forwarderCodeHash)),
    row("contract's code", exact(targetCodeHash)),
    row("looked at", words("block "), exact(evidence.blockNumber), words(" "), exact(evidence.blockHash))
  ]
}

const STATES: Readonly<Record<Sponsorship["state"], readonly [name: string, means: string]>> = {
  prepared: [
    "prepared",
    "Sign the requests, then hand them in: the provider gets them once, and they cannot be called back before they end."
  ],
  expired: [
    "expired",
    "Nothing more comes of it: it was not handed in in time. Prepare another from its plan."
  ],
  submitting: ["on its way", "The requests are on their way to the provider."],
  submission_unknown: [
    "not known",
    "Whether the provider took the requests is not known. They are never sent again; if they are executed, their chain shows it."
  ],
  quote_unverified: [
    "published",
    "The provider has the requests. What it asks for is shown once it is proved to be for these requests and for the known payment contract."
  ],
  funding_quote_available: [
    "to be paid",
    "Pay, and the provider executes the requests. That it is paid is not yet execution, and nothing is refunded here."
  ],
  quote_expired: [
    "offer over",
    "The provider's offer is over. What was paid for in time may still be executed until the requests end."
  ],
  executing: ["under way", "The requests are being executed; what their chain shows of it is proved here."],
  execution_verified: ["executed", "All requests were executed; not every effect of theirs is proved."],
  completed: ["completed", "All requests were executed, and what they were to change is proved."],
  failed: ["failed", "A request was executed, and its call failed for good."],
  lapsed: ["lapsed", "What was not executed never can be any more. Prepare what is left anew from its plan."]
}

export const stateName = ({ state }: Sponsorship): string => STATES[state][0]

export const stateMeaning = ({ state }: Sponsorship): string => STATES[state][1]
