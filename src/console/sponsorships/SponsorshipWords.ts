/** What is happening to a sponsorship, and what else is in a request. */
import { exact, type ReviewRow, row, words } from "../../review/Words.ts"
import type { Sponsorship } from "../../sponsorship/Sponsorship.ts"
import { doubtMeanings, stateMeanings } from "../../sponsorship/SponsorshipMeanings.ts"
import { reasonSentence } from "../ProgressWords.ts"

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

const NAMES: Readonly<Record<Sponsorship["state"], string>> = {
  prepared: "prepared",
  expired: "expired",
  submitting: "on its way",
  submission_unknown: "not known",
  quote_unverified: "published",
  funding_quote_available: "to be paid",
  quote_expired: "offer over",
  executing: "under way",
  execution_verified: "executed",
  completed: "completed",
  failed: "failed",
  lapsed: "lapsed"
}

export const stateName = ({ state }: Sponsorship): string => NAMES[state]

/** What the state means does not hold where a reason stands against it; a doubt stands beside what it is about. */
export const happening = ({ state, nextAction }: Pick<Sponsorship, "state" | "nextAction">): string => {
  const { kind, reason } = nextAction
  const isAgainst = kind === "none" || kind === "wait"
  return isAgainst && reason !== undefined && !(reason in doubtMeanings)
    ? reasonSentence(reason)
    : stateMeanings[state]
}
