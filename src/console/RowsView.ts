/** The words of a review as elements; text that others wrote stands in a frame of its own, with a mark. */
import type { Piece, ReviewRow } from "../review/Words.ts"
import { type Child, el } from "./Elements.ts"

const foreignView = (text: string, more: number): HTMLElement =>
  el(
    "span",
    { class: "foreign", title: "chosen by others" },
    el("bdi", { dir: "auto" }, `"${text}${more === 0 ? "" : "…"}"`)
  )

const untrustedView = (text: string, more: number): HTMLElement =>
  el(
    "span",
    { class: "untrusted" },
    el("span", { class: "mark" }, "untrusted"),
    el("bdi", { dir: "auto" }, `"${text}"`),
    more === 0 ? undefined : ` and ${more} more characters`
  )

const pieceView = (piece: Piece): Child => {
  switch (piece.kind) {
    case "words":
      return piece.text
    case "amount":
      return el("strong", { class: "amount" }, piece.text)
    case "exact":
      return el("code", {}, piece.text)
    case "foreign":
      return foreignView(piece.text, piece.more)
    case "untrusted":
      return untrustedView(piece.text, piece.more)
  }
}

export const piecesView = (pieces: ReadonlyArray<Piece>): Child => pieces.map(pieceView)

/** A path is broken between its steps, and no word is. */
const nameView = (name: string): Child =>
  name.split(/(?<=[.\]])/).flatMap((step, index) => (index === 0 ? [step] : [el("wbr", {}), step]))

const innerView = (rows: ReadonlyArray<ReviewRow>, folded: boolean): Child => {
  if (rows.length === 0) return undefined
  return folded ? foldedRows("Show", rows, "inner") : rowsView(rows, "inner")
}

const rowView = ({ name, type, value, tone, rows = [], folded = false }: ReviewRow): HTMLElement =>
  el(
    "div",
    { class: `row ${tone ?? ""} ${rows.length > 0 ? "group" : ""}` },
    el("dt", {}, nameView(name), type === undefined ? undefined : el("span", { class: "type" }, ` ${type}`)),
    el("dd", {}, piecesView(value), innerView(rows, folded))
  )

export const rowsView = (rows: ReadonlyArray<ReviewRow>, kind = "rows"): HTMLElement =>
  el("dl", { class: kind }, rows.map(rowView))

/** For those who want to read everything. */
export const foldedRows = (title: string, rows: ReadonlyArray<ReviewRow>, kind = "rows"): HTMLElement =>
  el("details", { class: "folded" }, el("summary", {}, title), rowsView(rows, kind))
