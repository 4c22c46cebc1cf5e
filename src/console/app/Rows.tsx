/** The rows of a review within a page of components. */
import { useLayoutEffect, useRef } from "preact/hooks"
import type { ReviewRow } from "../../review/Words.ts"
import { rowsView } from "../RowsView.ts"

export const Rows = ({ rows }: { readonly rows: ReadonlyArray<ReviewRow> }) => {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => place.current?.replaceChildren(rowsView(rows)))
  return <div ref={place} />
}
