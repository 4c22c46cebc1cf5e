/** The question before every signature: what is about to be signed, in words, and only then the wallet. */
import type { ReviewRow } from "../review/Words.ts"
import { button, el, paragraph } from "./Elements.ts"
import { piecesView, rowsView } from "./RowsView.ts"

export class Declined extends Error {
  override readonly name = "Declined"
}

export interface PromptQuestion {
  readonly title: string
  readonly intro: string
  readonly rows: ReadonlyArray<ReviewRow>
  /** For those who compare with a hardware wallet; none where it cannot be foretold. */
  readonly digests: ReadonlyArray<ReviewRow>
  readonly action: string
}

const digestsView = (digests: ReadonlyArray<ReviewRow>): ReadonlyArray<HTMLElement> =>
  digests.length === 0
    ? []
    : [
        el(
          "details",
          { class: "digests" },
          el("summary", {}, "What a hardware wallet shows"),
          rowsView(digests)
        )
      ]

const isSentence = ({ tone }: ReviewRow): boolean => tone === "sentence"

const dialogFor = ({ title, intro, rows, digests, action }: PromptQuestion): HTMLDialogElement => {
  const dialog = el("dialog", { "aria-labelledby": "question" })
  dialog.append(
    el("h2", { id: "question", tabindex: "-1", autofocus: "" }, title),
    ...rows.filter(isSentence).map(({ value }) => el("p", { class: "sentence" }, piecesView(value))),
    paragraph(intro),
    rowsView(rows.filter(each => !isSentence(each))),
    ...digestsView(digests),
    el(
      "div",
      { class: "actions" },
      button(action, () => dialog.close("yes"), "primary"),
      button("Cancel", () => dialog.close("no"))
    )
  )
  return dialog
}

/** Rejects with `Declined` unless the person agrees; Escape declines. */
export const agreed = (question: PromptQuestion): Promise<void> =>
  new Promise((resolve, reject) => {
    const dialog = dialogFor(question)
    dialog.addEventListener("close", () => {
      dialog.remove()
      if (dialog.returnValue === "yes") resolve()
      else reject(new Declined())
    })
    document.body.append(dialog)
    dialog.showModal()
  })
