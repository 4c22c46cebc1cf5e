/** What could not be read, and why, in the place where its value would stand. */
import { exact, type Piece, words } from "../../../review/Words.ts"
import type { Observed, Unknown } from "../../../values/Observed.ts"
import { printable } from "../../../values/UntrustedText.ts"

export const unknownPieces = ({ error }: Pick<Unknown, "error">): ReadonlyArray<Piece> => [
  words("not known: "),
  exact(error.code),
  words(` ${printable(error.message)}`)
]

export const observedPieces = <A>(
  value: Observed<A>,
  show: (known: A) => ReadonlyArray<Piece>
): ReadonlyArray<Piece> => (value.status === "known" ? show(value.value) : unknownPieces(value))
