/** What a review is made of: our own words, exact values, and text that others wrote, each marked as what it is. */
import { visible } from "../values/UntrustedText.ts"

export type Piece =
  | { readonly kind: "words" | "exact"; readonly text: string }
  | { readonly kind: "untrusted"; readonly text: string; readonly more: number }

export type Tone = "good" | "key" | "warning" | "danger"

export interface ReviewRow {
  readonly name: string
  /** The ABI type, where the row is an argument. */
  readonly type?: string
  readonly value: ReadonlyArray<Piece>
  readonly tone?: Tone
  readonly rows?: ReadonlyArray<ReviewRow>
}

export const words = (text: string): Piece => ({ kind: "words", text })

export const untrusted = (text: unknown, longest?: number): Piece => ({
  kind: "untrusted",
  ...visible(String(text), longest)
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

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u

/** Between isolates, so that the numbers after it stay in their place. */
const isolated = (text: string): string => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text)

export const pieceText = (piece: Piece): string => {
  if (piece.kind !== "untrusted") return piece.text
  return `untrusted "${isolated(piece.text)}"${piece.more === 0 ? "" : ` and ${piece.more} more characters`}`
}

export const sentence = (value: ReadonlyArray<Piece>): string => value.map(pieceText).join("")
