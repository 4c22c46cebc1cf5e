/** What a sponsorship's states mean, and what else is in a request. */
import { exact, type ReviewRow, row, words } from "../../review/Words.ts"
import type { Sponsorship } from "../../sponsorship/Sponsorship.ts"

type Request = Sponsorship["authorizations"][number]

/** For those who want to read everything. */
export const wholeRequest = (request: Request): ReadonlyArray<ReviewRow> => {
  const { message, domain, forwarderCodeHash, targetCodeHash, evidence } = request
  return [
    row("signer", exact(message.from)),
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
