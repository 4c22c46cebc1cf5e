/** Fields of which something is chosen: chains, enumerations, yes or no, alternatives. */
import { isChoiceDraft, textIn } from "../fields/Draft.ts"
import type { InputField } from "../fields/InputField.ts"
import { labelFor } from "../words/MemberWords.ts"
import { idAt, type PartProps } from "./Hands.ts"
import { describedBy, FieldHint, FieldWrong, MemberName } from "./Told.tsx"

interface Option {
  readonly value: string
  readonly label: string
}

const SelectPart = ({
  field,
  draft,
  path,
  hands,
  options
}: PartProps & { readonly options: ReadonlyArray<Option> }) => {
  const id = idAt(path)
  const wrong = hands.wrong.get(id)
  return (
    <div class="field">
      <span class="naming">
        <label for={id}>{field.label}</label> <MemberName field={field} />
      </span>
      <FieldHint field={field} id={id} />
      <select
        id={id}
        aria-invalid={wrong === undefined ? undefined : true}
        aria-describedby={describedBy(id, field, wrong)}
        onChange={({ currentTarget }) => hands.change(path, currentTarget.value)}
      >
        {options.map(({ value, label }) => (
          <option key={value} value={value} selected={value === textIn(draft)}>
            {label}
          </option>
        ))}
      </select>
      <FieldWrong id={id} words={wrong} />
    </div>
  )
}

export const OptionsPart = (props: PartProps) => {
  const { shape, isRequired } = props.field
  const values = shape.kind === "options" ? shape.values.map(String) : []
  const own = values.map(value => ({ value, label: labelFor(value) }))
  return <SelectPart {...props} options={isRequired ? own : [{ value: "", label: "Usual" }, ...own]} />
}

/** A chain that the service does not serve stays what it is. */
export const ChainPart = (props: PartProps) => {
  const { chains } = props.around.known
  const text = textIn(props.draft)
  const served = chains.map(({ id, name }) => ({ value: String(id), label: `${name} (${id})` }))
  const isServed = served.some(({ value }) => value === text)
  return (
    <SelectPart
      {...props}
      options={
        isServed
          ? served
          : [{ value: text, label: text === "" ? "Choose a chain" : `Chain ${text}` }, ...served]
      }
    />
  )
}

export const FlagPart = ({ field, draft, path, hands }: PartProps) => {
  const id = idAt(path)
  const wrong = hands.wrong.get(id)
  return (
    <div class="field flag">
      <span class="naming">
        <input
          id={id}
          type="checkbox"
          checked={draft === true}
          aria-describedby={describedBy(id, field, wrong)}
          onChange={({ currentTarget }) => hands.change(path, currentTarget.checked)}
        />
        <label for={id}>{field.label}</label> <MemberName field={field} />
      </span>
      <FieldHint field={field} id={id} />
      <FieldWrong id={id} words={wrong} />
    </div>
  )
}

/** What was typed in each alternative is kept while another is chosen. */
export const ChoiceHead = ({
  field,
  draft,
  path,
  hands,
  alternatives
}: PartProps & { readonly alternatives: ReadonlyArray<InputField> }) => {
  const id = `${idAt(path)}-choice`
  if (!isChoiceDraft(draft)) return null
  return (
    <div class="field">
      <span class="naming">
        <label for={id}>{`${field.label}: which?`}</label> <MemberName field={field} />
      </span>
      <select
        id={id}
        onChange={({ currentTarget }) =>
          hands.change(path, { ...draft, chosen: Number(currentTarget.value) })
        }
      >
        {alternatives.map(({ label }, at) => (
          <option key={at} value={String(at)} selected={at === draft.chosen}>
            {label}
          </option>
        ))}
      </select>
    </div>
  )
}
