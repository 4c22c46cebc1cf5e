/** A field that is typed in, with the exact value of what was typed beside it. */
import type { TargetedEvent } from "preact"
import { realSystem } from "../../../client/System.ts"
import { isNative, tokenKey } from "../../../review/Amounts.ts"
import { toHex } from "../../../values/TypedDataHash.ts"
import { textIn } from "../fields/Draft.ts"
import type { InputField } from "../fields/InputField.ts"
import { chainIn, isAmount, type Surroundings, tokenOfUnit } from "../fields/Surroundings.ts"
import { besideWords, offersFor } from "../words/Beside.ts"
import { idAt, type PartProps } from "./Hands.ts"
import { describedBy, FieldHint, FieldWrong, MemberName, ToldPieces } from "./Told.tsx"

const LONG = 4096

/** Of several lines. */
const isProse = ({ shape, name }: InputField): boolean =>
  shape.kind === "text" && shape.pattern === undefined && shape.longest >= LONG && !/uri$/i.test(name)

const isToken = ({ shape, name }: InputField): boolean => shape.kind === "address" && /^token/.test(name)

/** Words for the whole units in which an amount is typed. */
const unitLabel = (field: InputField, around: Surroundings): string => {
  if (!isAmount(field.unit)) return ""
  const token = tokenOfUnit(field.unit, around)
  if (token === undefined) return ", as in 1000 units"
  return token.isForeign ? ", in whole tokens" : `, in ${token.symbol}`
}

/** A keyboard of digits alone lacks the words and signs that some numbers may be typed with. */
const inputMode = ({ shape, unit }: InputField, around: Surroundings): "decimal" | "text" => {
  const isNumber = shape.kind === "digits" || shape.kind === "number"
  const isPlain = unit?.kind !== "duration" && unit?.kind !== "share"
  return isNumber && isPlain && (!isAmount(unit) || tokenOfUnit(unit, around) !== undefined)
    ? "decimal"
    : "text"
}

/** A time beyond what a date field takes is shown in seconds. */
const isDate = ({ unit }: InputField, text: string): boolean =>
  unit?.kind === "time" && !/^[0-9]+$/.test(text)

const randomSalt = (): string => toHex(realSystem.randomBytes(32))

/** What fills the field at a press, but for what it holds already. */
const Offers = ({ field, draft, path, around, hands }: PartProps) => {
  const fillWith = (text: string) => {
    hands.change(path, text)
    hands.focusNext(idAt(path))
  }
  const offers = offersFor(field, around)
    .filter(({ text }) => text !== textIn(draft))
    .map(({ label, text }) => ({ label, fill: () => fillWith(text) }))
  const fills = [
    ...offers,
    ...(field.unit?.kind === "terminal"
      ? [{ label: "The chain's multi terminal", fill: () => hands.fillTerminal(path) }]
      : []),
    ...(field.unit?.kind === "salt" ? [{ label: "A random one", fill: () => fillWith(randomSalt()) }] : [])
  ]
  if (fills.length === 0) return null
  return (
    <span class="offers">
      {fills.map(({ label, fill }) => (
        <button key={label} type="button" onClick={fill} aria-label={`${label}, for ${field.label}`}>
          {label}
        </button>
      ))}
    </span>
  )
}

/** Amounts of a token can be typed in whole ones once its decimals are known. */
const LookUp = ({ field, draft, around, hands }: PartProps) => {
  const address = textIn(draft).trim()
  if (!isToken(field) || isNative(address) || !/^0x[0-9a-fA-F]{40}$/.test(address)) return null
  const key = tokenKey(chainIn(around), address)
  if (around.known.tokens.get(key) !== undefined) return null
  return around.known.tokens.has(key) ? (
    <p class="hint">The service cannot prove this token: amounts of it are typed as in 1000 units.</p>
  ) : (
    <button type="button" onClick={() => hands.lookUp(address)}>
      Look up the token
    </button>
  )
}

const Typing = ({
  field,
  draft,
  path,
  around,
  hands,
  wrong
}: PartProps & { readonly wrong: string | undefined }) => {
  const id = idAt(path)
  const value = textIn(draft)
  const shared = {
    id,
    value,
    autocomplete: "off",
    spellcheck: false,
    "aria-invalid": wrong === undefined ? undefined : true,
    "aria-required": field.isRequired && field.empty === undefined,
    "aria-describedby": describedBy(id, field, wrong, true)
  } as const
  const type = (event: TargetedEvent<HTMLInputElement | HTMLTextAreaElement>) =>
    hands.change(path, event.currentTarget.value)
  if (isProse(field)) return <textarea {...shared} rows={2} onInput={type} />
  if (isDate(field, value)) return <input {...shared} type="datetime-local" step={1} onInput={type} />
  return <input {...shared} type="text" inputMode={inputMode(field, around)} onInput={type} />
}

export const TextPart = (props: PartProps) => {
  const { field, draft, path, around, hands } = props
  const id = idAt(path)
  const wrong = hands.wrong.get(id)
  return (
    <div class="field">
      <span class="naming">
        <label for={id}>
          {field.label}
          {unitLabel(field, around)}
        </label>{" "}
        <MemberName field={field} />
      </span>
      <FieldHint field={field} id={id} />
      <Typing {...props} wrong={wrong} />
      <Offers {...props} />
      <ToldPieces id={`${id}-beside`} pieces={besideWords(field, textIn(draft), around)} />
      <LookUp {...props} />
      <FieldWrong id={id} words={wrong} />
      {field.name === "loanId" ? hands.aboutLoan : null}
    </div>
  )
}
