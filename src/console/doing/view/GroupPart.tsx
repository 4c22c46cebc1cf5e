/** Members that belong together; those that most leave as they are are folded under "More". */
import type { ComponentType } from "preact"
import { membersIn } from "../fields/Draft.ts"
import type { InputField } from "../fields/InputField.ts"
import { type Surroundings, within } from "../fields/Surroundings.ts"
import { idAt, type PartProps } from "./Hands.ts"
import { FieldHint, FieldWrong, MemberName } from "./Told.tsx"

export interface WithParts extends PartProps {
  readonly Part: ComponentType<PartProps>
}

interface Members extends WithParts {
  readonly fields: ReadonlyArray<InputField>
  readonly inner: Surroundings
}

const isFlag = ({ shape }: InputField): boolean => shape.kind === "flag"

const MemberParts = ({ fields, draft, path, inner, hands, Part }: Members) => {
  const members = membersIn(draft)
  const part = (field: InputField) => (
    <Part
      key={field.name}
      field={field}
      draft={members[field.name]}
      path={[...path, field.name]}
      around={inner}
      hands={hands}
    />
  )
  const flags = fields.filter(isFlag)
  return (
    <>
      {fields.filter(field => !isFlag(field)).map(part)}
      {flags.length === 0 ? null : <div class="flags">{flags.map(part)}</div>}
    </>
  )
}

/** The members alone, as the whole form has them. */
export const GroupMembers = (props: WithParts) => {
  const { field, draft, around } = props
  const { shape } = field
  if (shape.kind !== "group") return null
  const inner = within(around, membersIn(draft))
  const fields = shape.fields.filter(each => each.isRequired || each.shape.kind !== "fixed")
  const aside = fields.filter(({ isAside }) => isAside)
  return (
    <>
      <MemberParts {...props} inner={inner} fields={fields.filter(({ isAside }) => !isAside)} />
      {aside.length === 0 ? null : (
        <details class="more">
          <summary>More</summary>
          <MemberParts {...props} inner={inner} fields={aside} />
        </details>
      )}
    </>
  )
}

const TYPED = ["number", "digits", "address", "text", "options"]
const FEW = 4

/** Few enough to stand beside one another. */
const isCompact = ({ shape }: InputField): boolean => {
  const main = shape.kind === "group" ? shape.fields.filter(each => !each.isAside) : []
  return main.length > 1 && main.length <= FEW && main.every(each => TYPED.includes(each.shape.kind))
}

export const GroupPart = (props: WithParts) => {
  const { field, path, hands } = props
  const id = idAt(path)
  return (
    <fieldset id={id} tabIndex={-1} class={isCompact(field) ? "compact" : ""}>
      <legend>
        {field.label} <MemberName field={field} />
      </legend>
      <FieldHint field={field} id={id} />
      <FieldWrong id={id} words={hands.wrong.get(id)} />
      <GroupMembers {...props} />
      {field.name === "project" ? hands.aboutProject : null}
    </fieldset>
  )
}
