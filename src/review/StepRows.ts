/** What became of a step, in words. */
import { isRecord } from "effect/Predicate"
import { isReplaced } from "../client/StepStanding.ts"
import type { Step } from "../plans/Plan.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { highestCost } from "./Amounts.ts"
import { repeatedRows } from "./RevertRows.ts"
import { exact, nameText, type ReviewRow, row, toned, untrusted, words } from "./Words.ts"

const transactionRows = ({ transaction }: Step): ReadonlyArray<ReviewRow> =>
  transaction === undefined
    ? []
    : [
        row("transaction", exact(transaction.hash)),
        row("nonce", exact(transaction.nonce)),
        highestCost(transaction.maximumCost)
      ]

const OPEN = new Set<Step["state"]>(["submitted", "unknown", "reorged"])

const REPLACED =
  "another transaction has the nonce for good, so that this one can be mined no more: look at what the wallet sent before the same is done again"

/** Nothing else of the wallet gets past a step that is in no block. */
const nonceRows = (step: Step): ReadonlyArray<ReviewRow> => {
  const { state, transaction } = step
  if (transaction === undefined || !OPEN.has(state)) return []
  if (isReplaced(step)) return [toned("warning", row("replaced", words(REPLACED)))]
  return [
    row(
      "holds",
      words("the wallet's nonce "),
      exact(transaction.nonce),
      words(" for good: it is free once these very bytes are mined, "),
      words("which may be submitted again whatever the plan's age, "),
      words("or once the wallet spends the nonce on another transaction")
    )
  ]
}

/** Each was admitted; whether it left is the status. */
const attemptsText = (count: number): string => (count === 1 ? "1 attempt" : `${count} attempts`)

const waitText = (millis: number | undefined): string =>
  millis === undefined ? "" : `, nothing more is sent for ${Math.ceil(Number(millis) / 1000)} s`

const dispatchRows = ({ dispatch }: Step): ReadonlyArray<ReviewRow> =>
  dispatch === undefined
    ? []
    : [
        row(
          "dispatch",
          exact(dispatch.status),
          words(`, ${attemptsText(Number(dispatch.count))}${waitText(dispatch.retryAfterMs)}`)
        )
      ]

const receiptRows = ({ receipt }: Step): ReadonlyArray<ReviewRow> =>
  receipt === undefined
    ? []
    : [
        row(
          "mined",
          exact(receipt.status),
          words(" in block "),
          exact(receipt.blockNumber),
          words(receipt.canonical ? "" : ", no longer canonical")
        ),
        row("confirmations", exact(receipt.confirmations), words(", finality "), exact(receipt.finality))
      ]

const memberPieces = ([name, value]: readonly [string, unknown], index: number) => [
  words(`${index === 0 ? " " : ", "}${nameText(name)} `),
  exact(typeof value === "object" ? canonicalJson(value) : value)
]

/** What the receipt's events proved, such as a new project's id. */
const eventRows = ({ semantic }: Step): ReadonlyArray<ReviewRow> =>
  (semantic?.events ?? []).filter(isRecord).map(({ event, ...members }) => {
    const told = Object.entries(members)
    return row("event", exact(event), ...told.flatMap(memberPieces))
  })

const semanticRows = ({ semantic }: Step): ReadonlyArray<ReviewRow> => {
  if (semantic === undefined) return []
  const reason = semantic.reason === undefined ? [] : [words(": "), untrusted(semantic.reason)]
  const effects = row("effects", exact(semantic.status), ...reason)
  return [semantic.status === "failed" ? toned("warning", effects) : effects]
}

export const stateText = ({ state, blockedBy }: Step): string =>
  blockedBy.length === 0 ? state : `${state} by step ${blockedBy.join(" and ")}`

export const stepRows = (step: Step): ReadonlyArray<ReviewRow> => [
  ...transactionRows(step),
  ...dispatchRows(step),
  ...receiptRows(step),
  ...nonceRows(step),
  ...semanticRows(step),
  ...repeatedRows(step),
  ...eventRows(step)
]
