/** What became of a step, in words. */
import type { Step } from "../plans/Plan.ts"
import { nativeAmount } from "./Amounts.ts"
import { exact, type Row, row, toned, untrusted, words } from "./Words.ts"

const transactionRows = ({ transaction }: Step): ReadonlyArray<Row> =>
  transaction === undefined
    ? []
    : [
        row("transaction", exact(transaction.hash)),
        row("nonce", exact(transaction.nonce)),
        row("costs at most", ...nativeAmount(transaction.maximumCost))
      ]

const dispatchRows = ({ dispatch }: Step): ReadonlyArray<Row> =>
  dispatch === undefined
    ? []
    : [row("dispatch", exact(dispatch.status), words(`, sent ${Number(dispatch.count)} times`))]

const receiptRows = ({ receipt }: Step): ReadonlyArray<Row> =>
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

const semanticRows = ({ semantic }: Step): ReadonlyArray<Row> => {
  if (semantic === undefined) return []
  const reason = semantic.reason === undefined ? [] : [words(": "), untrusted(semantic.reason)]
  const effects = row("effects", exact(semantic.status), ...reason)
  return [semantic.status === "failed" ? toned("warning", effects) : effects]
}

export const stateText = ({ state, blockedBy }: Step): string =>
  blockedBy.length === 0 ? state : `${state} by step ${blockedBy.join(" and ")}`

export const stepRows = (step: Step): ReadonlyArray<Row> => [
  ...transactionRows(step),
  ...dispatchRows(step),
  ...receiptRows(step),
  ...semanticRows(step)
]
