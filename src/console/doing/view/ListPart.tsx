/** A list whose rows are added, removed and put in order by buttons. */
import {
  type ListDraft,
  membersIn,
  rowsIn,
  textIn,
  withoutRow,
  withPasted,
  withRowRaised,
  withRows
} from "../fields/Draft.ts"
import { partsOf } from "../fields/Exactly.ts"
import { startOfPart } from "../fields/WriteDraft.ts"
import { sharesWords } from "../words/Shares.ts"
import type { WithParts } from "./GroupPart.tsx"
import { idAt } from "./Hands.ts"
import { FieldHint, FieldWrong, MemberName } from "./Told.tsx"

const WHOLE = 1_000_000_000

const listIn = ({ draft }: WithParts): ListDraft => ({ kind: "list", rows: rowsIn(draft) })

const isOf = ({ field }: WithParts, kind: "group" | "list"): boolean =>
  field.shape.kind === "list" && field.shape.item.shape.kind === kind

/** As long as it always is, so that no row comes or goes. */
const isFixed = ({ field: { shape }, draft }: WithParts): boolean =>
  shape.kind === "list" && shape.least === shape.most && rowsIn(draft).length === shape.most

const MOST_PASTED = 1000

/** Of prose, each of which may hold spaces. */
const isOfProse = ({ field: { shape } }: WithParts): boolean =>
  shape.kind === "list" && shape.item.shape.kind === "text" && shape.item.shape.pattern === undefined

/** More than fit are no list of these. */
const isPastable = (props: WithParts, count: number): boolean => {
  const { shape } = props.field
  const most = shape.kind === "list" ? Math.min(shape.most, MOST_PASTED) : 0
  return count > 1 && count <= most && !isOf(props, "group") && !isOf(props, "list") && !isOfProse(props)
}

const RowButtons = (props: WithParts & { readonly at: number; readonly called: string }) => {
  const { path, hands, at, called } = props
  const list = listIn(props)
  const id = idAt([...path, at])
  const raise = (from: number, to: number) => {
    hands.change(path, withRowRaised(list, from))
    const moved = idAt([...path, to])
    hands.focusNext(to < at ? `${moved}-up` : `${moved}-down`, `${moved}-down`, `${moved}-up`)
  }
  const remove = () => {
    hands.change(path, withoutRow(list, at))
    hands.focusNext(`${idAt(path)}-add`)
  }
  return (
    <span class="offers">
      {at === 0 ? null : (
        <button
          type="button"
          id={`${id}-up`}
          aria-label={`Move ${called} up`}
          onClick={() => raise(at, at - 1)}
        >
          Up
        </button>
      )}
      {at === list.rows.length - 1 ? null : (
        <button
          type="button"
          id={`${id}-down`}
          aria-label={`Move ${called} down`}
          onClick={() => raise(at + 1, at + 1)}
        >
          Down
        </button>
      )}
      <button type="button" aria-label={`Remove ${called}`} onClick={remove}>
        Remove
      </button>
    </span>
  )
}

/** Several values pasted at once fill as many rows. */
const pasted = (props: WithParts, at: number) => (event: ClipboardEvent) => {
  const words = (event.clipboardData?.getData("text") ?? "").split(/[\s,"'[\]]+/).filter(word => word !== "")
  if (!isPastable(props, words.length)) return
  event.preventDefault()
  props.hands.change(props.path, withPasted(listIn(props), at, words))
}

const Row = (props: WithParts & { readonly at: number }) => {
  const { field, path, around, hands, Part, at } = props
  const { shape } = field
  const row = rowsIn(props.draft)[at]
  if (shape.kind !== "list" || row === undefined) return null
  const called = `${shape.item.label} ${at + 1}`
  const item = { ...shape.item, label: called, name: "" }
  return (
    <li class={shape.item.shape.kind === "group" ? "" : "in-line"} onPasteCapture={pasted(props, at)}>
      <Part field={item} draft={row.draft} path={[...path, at]} around={around} hands={hands} />
      {isFixed(props) ? null : <RowButtons {...props} called={called} />}
    </li>
  )
}

/** Of shares, how much is shared out by now and what becomes of the rest. */
const Shares = (props: WithParts) => {
  const { shape } = props.field
  const isShares =
    shape.kind === "list" && shape.item.shape.kind === "group" && shape.item.shape.of === "SplitConfiguration"
  if (!isShares) return null
  const parts = rowsIn(props.draft).map(({ draft }) =>
    partsOf(textIn(membersIn(draft).percent).trim(), WHOLE)
  )
  return (
    <p class="sum" role="status">
      {sharesWords(parts, props.path.includes("splitGroups") ? " to the project's owner" : " over")}
    </p>
  )
}

export const ListPart = (props: WithParts) => {
  const { field, path, around, hands } = props
  const { shape } = field
  const id = idAt(path)
  const { rows } = listIn(props)
  if (shape.kind !== "list") return null
  const add = () => {
    hands.change(path, withRows(listIn(props), [startOfPart(shape.item, around.known)]))
    hands.focusNext(idAt([...path, rows.length]))
  }
  return (
    <fieldset id={id} tabIndex={-1}>
      <legend>
        {field.label} <MemberName field={field} />
      </legend>
      <FieldHint field={field} id={id} />
      <FieldWrong id={id} words={hands.wrong.get(id)} />
      <ol class="rows-of-parts">
        {rows.map(({ key }, at) => (
          <Row key={key} {...props} at={at} />
        ))}
      </ol>
      <Shares {...props} />
      {rows.length >= shape.most ? null : (
        <button type="button" id={`${id}-add`} onClick={add}>{`Add: ${shape.item.label}`}</button>
      )}
    </fieldset>
  )
}
