/** What a review is made of: our own words, exact values, and text that others wrote, each marked as what it is. */
import { isolated, quotable, visible } from "../values/UntrustedText.ts"

export type Piece =
  | { readonly kind: "words" | "exact" | "amount"; readonly text: string }
  | { readonly kind: "untrusted" | "foreign"; readonly text: string; readonly more: number }

/** `sentence` is the row that says all of it at once. */
export type Tone = "sentence" | "good" | "key" | "warning" | "danger"

export interface ReviewRow {
  readonly name: string
  /** The ABI type, where the row is an argument. */
  readonly type?: string
  readonly value: ReadonlyArray<Piece>
  readonly tone?: Tone
  readonly rows?: ReadonlyArray<ReviewRow>
  /** Where its rows are there for those who ask. */
  readonly folded?: boolean
}

export const words = (text: string): Piece => ({ kind: "words", text })

export const amount = (text: string): Piece => ({ kind: "amount", text })

export const untrusted = (text: unknown, longest?: number): Piece => ({
  kind: "untrusted",
  ...visible(String(text), longest)
})

/** A name that others chose, amid words of ours: quoted, with no quote of its own, cut, every character shown. */
export const quoted = (text: string, longest: number): Piece => ({
  kind: "foreign",
  ...quotable(text, longest)
})

const PRINTABLE = /^[\x21-\x7e]{1,160}$/

/** An identifier, hash or number; whatever else stands in its place is shown as untrusted text. */
export const exact = (value: unknown): Piece => {
  const text = String(value)
  return PRINTABLE.test(text) ? { kind: "exact", text } : untrusted(text)
}

export const row = (name: string, ...value: ReadonlyArray<Piece>): ReviewRow => ({ name, value })

export const toned = (tone: Tone, of: ReviewRow): ReviewRow => ({ ...of, tone })

/** A name that the catalog gives, cut where it is not one. */
export const nameText = (name: string): string => visible(name, 80).text

export const pieceText = (piece: Piece): string => {
  if (piece.kind === "foreign") return `"${isolated(piece.text)}${piece.more === 0 ? "" : "…"}"`
  if (piece.kind !== "untrusted") return piece.text
  return `untrusted "${isolated(piece.text)}"${piece.more === 0 ? "" : ` and ${piece.more} more characters`}`
}

export const sentence = (value: ReadonlyArray<Piece>): string => value.map(pieceText).join("")
