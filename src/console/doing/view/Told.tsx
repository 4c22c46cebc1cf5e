/** Words that go with a field: its label, what it is, the exact value, and what is wrong. */
import { useLayoutEffect, useRef } from "preact/hooks"
import type { Piece, ReviewRow } from "../../../review/Words.ts"
import { el } from "../../Elements.ts"
import { piecesView, rowsView } from "../../RowsView.ts"
import type { InputField } from "../fields/InputField.ts"

/** Holds elements that are made without components. */
const Holding = ({
  made,
  kind,
  id
}: {
  readonly made: () => Node
  readonly kind: string
  readonly id?: string
}) => {
  const holder = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    holder.current?.replaceChildren(made())
  })
  return <div class={kind} id={id} ref={holder} />
}

export const ToldPieces = ({
  pieces,
  id
}: {
  readonly pieces: ReadonlyArray<Piece>
  readonly id: string
}) => <Holding kind="beside" id={id} made={() => el("span", {}, piecesView(pieces))} />

export const ToldRows = ({ rows }: { readonly rows: ReadonlyArray<ReviewRow> }) => (
  <Holding kind="told" made={() => rowsView(rows)} />
)

/** As programs call it; the rows of a list have no name of their own. */
export const MemberName = ({ field: { name } }: { readonly field: InputField }) =>
  name === "" ? null : <code>{name}</code>

export const FieldHint = ({ field, id }: { readonly field: InputField; readonly id: string }) =>
  field.hint === undefined ? null : (
    <p class="hint" id={`${id}-hint`}>
      {sentenceOf(field.hint)}
    </p>
  )

/** The schemas' descriptions begin small and end without a point. */
const sentenceOf = (text: string): string => {
  const begun = text.replace(/^[a-z]/, first => first.toUpperCase())
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}

export const FieldWrong = ({ words, id }: { readonly words: string | undefined; readonly id: string }) =>
  words === undefined ? null : (
    <p class="wrong" id={`${id}-wrong`}>
      {words}
    </p>
  )

/** Which words an element is described by. */
export const describedBy = (id: string, { hint }: InputField, wrong: string | undefined, beside = false) =>
  [
    ...(wrong === undefined ? [] : [`${id}-wrong`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(beside ? [`${id}-beside`] : [])
  ].join(" ") || undefined
