/** A sponsorship as a person reads it. */
import { chosenPayment } from "../client/ChosenPayment.ts"
import { nativeAmount } from "../review/Amounts.ts"
import { requestRows } from "../review/SponsorReview.ts"
import { instantText } from "../review/Times.ts"
import { exact, type Piece, type ReviewRow, row, sentence, toned, words } from "../review/Words.ts"
import type { Sponsorship } from "../sponsorship/Sponsorship.ts"
import { rowsText } from "./PlanText.ts"
import { indented } from "./Table.ts"

export const requestsText = (sponsorship: Sponsorship, now: number): string =>
  requestRows(sponsorship, now)
    .map(({ name, value, rows = [] }) => `${name}  ${sentence(value)}\n${indented(rowsText(rows))}`)
    .join("\n")

const NEXT: Readonly<Record<Sponsorship["nextAction"]["kind"], string>> = {
  sign: "sign its requests",
  submit: "send the payment",
  fund: "pay the provider",
  wait: "wait",
  "prepare-again": "what is left needs a new plan",
  none: "nothing"
}

/** Of the payment that is made: each is for all of it. */
export const priceOf = (sponsorship: Sponsorship): ReadonlyArray<Piece> => {
  const payment = chosenPayment(sponsorship)
  return payment === undefined ? [words("what the provider asks")] : nativeAmount(payment.value)
}

const quoteRows = ({ quote }: Sponsorship): ReadonlyArray<ReviewRow> =>
  quote === undefined
    ? []
    : [
        row("bundle", exact(quote.bundleId)),
        ...quote.payments.map(({ chainId, to, value, deadline }) =>
          row(
            "price",
            ...nativeAmount(value),
            words(` on chain ${chainId} to `),
            exact(to),
            words(`, until ${instantText(deadline * 1000)}`)
          )
        ),
        ...(quote.reason === undefined ? [] : [toned("warning", row("doubt", exact(quote.reason)))])
      ]

/** Where it stands, and what brings it on. */
export const sponsorshipText = (sponsorship: Sponsorship): string => {
  const { id, state, submission, funding, recovery, nextAction } = sponsorship
  const { kind, reason } = nextAction
  return [
    `sponsorship ${id}: ${state}`,
    indented(
      rowsText([
        ...(submission === undefined ? [] : [row("published", exact(submission.hash))]),
        ...quoteRows(sponsorship),
        ...(funding === undefined
          ? []
          : [row("payment", words("plan "), exact(funding.planId), words(", "), exact(funding.state))]),
        ...(recovery === undefined ? [] : [toned("warning", row("unknown", words(recovery)))]),
        row("next", words(reason === undefined ? NEXT[kind] : `${NEXT[kind]}: ${reason}`))
      ])
    )
  ].join("\n")
}
