/** What was typed as the input of the operation, or each part that is wrong, in the order of the form. */
import { Either } from "effect"
import { type Draft, isChoiceDraft, isListDraft, membersIn, textIn } from "./Draft.ts"
import { shareText } from "./Exactly.ts"
import type { FieldPath, FieldShape, InputField } from "./InputField.ts"
import { scalarRead } from "./ReadScalar.ts"
import { type Surroundings, within } from "./Surroundings.ts"

export interface FormMisfit {
  readonly path: FieldPath
  readonly label: string
  readonly words: string
}

/** A part that is left out is read as undefined. */
type Read = Either.Either<unknown, ReadonlyArray<FormMisfit>>

type Kind<Name extends FieldShape["kind"]> = Extract<FieldShape, { readonly kind: Name }>

const misfit = (path: FieldPath, { label }: InputField, words: string): Read =>
  Either.left([{ path, label, words }])

const misfitsOf = (reads: ReadonlyArray<Read>): ReadonlyArray<FormMisfit> =>
  reads.flatMap(read => (Either.isLeft(read) ? read.left : []))

const valueOf = (read: Read): unknown => (Either.isRight(read) ? read.right : undefined)

const groupRead = ({ fields }: Kind<"group">, draft: Draft, path: FieldPath, around: Surroundings): Read => {
  const members = membersIn(draft)
  const inner = within(around, members)
  const reads = fields.map(field => draftRead(field, members[field.name], [...path, field.name], inner))
  const misfits = misfitsOf(reads)
  if (misfits.length > 0) return Either.left(misfits)
  const entries = fields.map((field, at): [string, unknown] => [
    field.name,
    valueOf(reads[at] ?? Either.right(undefined))
  ])
  return Either.right(Object.fromEntries(entries.filter(([, value]) => value !== undefined)))
}

const WHOLE = 1_000_000_000n

/** The parts of all shares, where the list is one of shares. */
const sumOfShares = (values: ReadonlyArray<unknown>): bigint =>
  values.reduce<bigint>((sum, value) => sum + BigInt(Object(value).percent ?? 0), 0n)

const listWords = ({ item, least, most, isDistinct }: Kind<"list">, values: ReadonlyArray<unknown>) => {
  if (values.length < least) return `At least ${least} must be here.`
  if (values.length > most) return `At most ${most} may be here.`
  if (isDistinct && new Set(values.map(value => JSON.stringify(value))).size < values.length)
    return "All of these must differ."
  const isShares = item.shape.kind === "group" && item.shape.of === "SplitConfiguration"
  const sum = isShares ? sumOfShares(values) : 0n
  return sum > WHOLE
    ? `The shares are ${shareText(sum, Number(WHOLE))} together, more than the whole.`
    : undefined
}

const listRead = (
  field: InputField,
  shape: Kind<"list">,
  draft: Draft,
  path: FieldPath,
  around: Surroundings
): Read => {
  const rows = isListDraft(draft) ? draft.rows : []
  const reads = rows.map((row, at) => draftRead(shape.item, row.draft, [...path, at], around))
  const misfits = misfitsOf(reads)
  if (misfits.length > 0) return Either.left(misfits)
  const values = reads.map(valueOf)
  const wrong = listWords(shape, values)
  return wrong === undefined ? Either.right(values) : misfit(path, field, wrong)
}

const isOwnDefault = ({ isRequired, fallback }: InputField, value: unknown): boolean =>
  !isRequired && value === fallback

const optionRead = (field: InputField, { values }: Kind<"options">, draft: Draft, path: FieldPath): Read => {
  const text = textIn(draft)
  if (text === "" && !field.isRequired) return Either.right(undefined)
  const value = values.find(each => String(each) === text)
  return value === undefined ? misfit(path, field, "Choose one of these.") : Either.right(value)
}

const takesNothing = ({ shape }: InputField): boolean =>
  shape.kind === "text" && shape.shortest === 0 && (shape.pattern?.test("") ?? true)

const typedRead = (field: InputField, draft: Draft, path: FieldPath, around: Surroundings): Read => {
  const typed = textIn(draft)
  const isNothing =
    field.shape.kind === "text" && field.shape.pattern === undefined ? typed === "" : typed.trim() === ""
  if (isNothing && !field.isRequired) return Either.right(undefined)
  if (isNothing && field.empty !== undefined) return Either.right(field.empty.value)
  if (isNothing && !takesNothing(field)) return misfit(path, field, "This is needed.")
  const read = scalarRead(field, typed, around)
  return Either.isRight(read) ? Either.right(read.right) : misfit(path, field, read.left)
}

export const draftRead = (field: InputField, draft: Draft, path: FieldPath, around: Surroundings): Read => {
  const { shape, isRequired } = field
  switch (shape.kind) {
    case "group":
      return draft === undefined && !isRequired
        ? Either.right(undefined)
        : groupRead(shape, draft, path, around)
    case "list":
      return draft === undefined && !isRequired
        ? Either.right(undefined)
        : listRead(field, shape, draft, path, around)
    case "choice": {
      const chosen = isChoiceDraft(draft) ? draft.chosen : -1
      const alternative = shape.alternatives[chosen]
      if (alternative !== undefined && isChoiceDraft(draft))
        return draftRead(alternative, draft.drafts[chosen], path, around)
      return isRequired ? misfit(path, field, "Choose one of these.") : Either.right(undefined)
    }
    case "fixed":
      return Either.right(isRequired ? shape.value : undefined)
    case "flag":
      return Either.right(isOwnDefault(field, draft === true) ? undefined : draft === true)
    case "options":
      return optionRead(field, shape, draft, path)
    default:
      return typedRead(field, draft, path, around)
  }
}
