/** The owner's approval to hand to the bot: shown, copied, or kept as a file. */
import type { OwnerApproval } from "../client/OwnerApproval.ts"
import { instantText } from "../review/Times.ts"
import type { Piece } from "../review/Words.ts"
import { button, el, paragraph, textArea } from "./Elements.ts"
import { copyText, keepFile } from "./KeptText.ts"
import { piecesView } from "./RowsView.ts"

const copyButton = (label: string, text: string): HTMLElement => {
  const done = el("span", { role: "status", class: "done" })
  const copy = button(label, () => {
    copyText(text).then(told => {
      done.textContent = told
    })
  })
  return el("span", {}, copy, done)
}

export const approvalView = (
  approval: OwnerApproval,
  raw: string,
  sentence: ReadonlyArray<Piece>
): HTMLElement => {
  const text = JSON.stringify(approval, null, 2)
  const name = `owner-approval-${approval.planId}-${approval.stepIndex}.json`
  return el(
    "section",
    { class: "approval" },
    el("h3", {}, "The owner's approval"),
    el("p", { class: "sentence" }, piecesView(sentence)),
    paragraph(
      `The bot submits it as ownerApproval together with exactly these signed bytes, before ${instantText(approval.expiresAt * 1000)}.`
    ),
    textArea("ownerApproval", text, { readonly: "", rows: "12" }).view,
    el(
      "div",
      { class: "actions" },
      copyButton("Copy the approval", text),
      button("Keep it as a file", () => keepFile(name, text)),
      copyButton("Copy the signed transaction", raw)
    )
  )
}
