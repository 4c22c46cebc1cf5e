/** The words of a review within a page of components. */
import { useLayoutEffect, useRef } from "preact/hooks"
import type { Piece } from "../../review/Words.ts"
import { el } from "../Elements.ts"
import { piecesView } from "../RowsView.ts"

export const Pieces = ({ pieces }: { readonly pieces: ReadonlyArray<Piece> }) => {
  const place = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => place.current?.replaceChildren(el("span", {}, piecesView(pieces))), [pieces])
  return <span ref={place} />
}
