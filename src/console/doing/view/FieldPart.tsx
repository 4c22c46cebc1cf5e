/** Any field, by its shape. */
import { isChoiceDraft } from "../fields/Draft.ts"
import { startOfPart } from "../fields/WriteDraft.ts"
import { ChainPart, ChoiceHead, FlagPart, OptionsPart } from "./ChosenParts.tsx"
import { GroupPart } from "./GroupPart.tsx"
import { idAt, type PartProps } from "./Hands.ts"
import { ListPart } from "./ListPart.tsx"
import { TextPart } from "./TextPart.tsx"

/** A part that may be left out, and is. */
const AbsentPart = ({ field, path, around, hands }: PartProps) => {
  const id = idAt(path)
  const add = () => {
    hands.change(path, startOfPart(field, around.known))
    hands.focusNext(`${id}-remove`)
  }
  return (
    <p class="absent">
      <button type="button" id={`${id}-add`} onClick={add}>{`Add: ${field.label}`}</button>{" "}
      <code>{field.name}</code>
    </p>
  )
}

const RemovePart = ({ field, path, hands }: PartProps) => {
  const id = idAt(path)
  const remove = () => {
    hands.change(path, undefined)
    hands.focusNext(`${id}-add`)
  }
  return (
    <button type="button" id={`${id}-remove`} onClick={remove}>
      {`Leave out: ${field.label}`}
    </button>
  )
}

const ChoicePart = (props: PartProps) => {
  const { field, draft } = props
  const alternatives = field.shape.kind === "choice" ? field.shape.alternatives : []
  const chosen = isChoiceDraft(draft) ? draft.chosen : 0
  const alternative = alternatives[chosen]
  return (
    <div class="choice">
      <ChoiceHead {...props} alternatives={alternatives} />
      {alternative === undefined || !isChoiceDraft(draft) ? null : (
        <FieldPart key={chosen} {...props} field={alternative} draft={draft.drafts[chosen]} />
      )}
    </div>
  )
}

const ShapedPart = (props: PartProps) => {
  const { shape, unit } = props.field
  switch (shape.kind) {
    case "group":
      return <GroupPart {...props} Part={FieldPart} />
    case "list":
      return <ListPart {...props} Part={FieldPart} />
    case "choice":
      return <ChoicePart {...props} />
    case "fixed":
      return null
    case "flag":
      return <FlagPart {...props} />
    case "options":
      return <OptionsPart {...props} />
    default:
      return unit?.kind === "chain" ? <ChainPart {...props} /> : <TextPart {...props} />
  }
}

const PARTS = ["group", "list", "choice"]

export const FieldPart = (props: PartProps) => {
  const { field, draft } = props
  if (field.isRequired || !PARTS.includes(field.shape.kind)) return <ShapedPart {...props} />
  if (draft === undefined) return <AbsentPart {...props} />
  return (
    <>
      <ShapedPart {...props} />
      <RemovePart {...props} />
    </>
  )
}
