/** The words of a review as elements; text that others wrote stands in a frame of its own, with a mark. */
import type { Piece, ReviewRow } from "../review/Words.ts"
import { type Child, el } from "./Elements.ts"

const pieceView = (piece: Piece): Child => {
  if (piece.kind !== "untrusted") return piece.kind === "words" ? piece.text : el("code", {}, piece.text)
  return el(
    "span",
    { class: "untrusted" },
    el("span", { class: "mark" }, "untrusted"),
    el("bdi", { dir: "auto" }, `"${piece.text}"`),
    piece.more === 0 ? undefined : ` and ${piece.more} more characters`
  )
}

const rowView = ({ name, type, value, tone, rows = [] }: ReviewRow): HTMLElement =>
  el(
    "div",
    { class: `row ${tone ?? ""} ${rows.length > 0 ? "group" : ""}` },
    el("dt", {}, name, type === undefined ? undefined : el("span", { class: "type" }, ` ${type}`)),
    el("dd", {}, value.map(pieceView), rows.length === 0 ? undefined : rowsView(rows, "inner"))
  )

export const rowsView = (rows: ReadonlyArray<ReviewRow>, kind = "rows"): HTMLElement =>
  el("dl", { class: kind }, rows.map(rowView))
