/** Which field a refusal of the service is about. */
import { isString } from "effect/Predicate"
import type { Problem } from "../../../values/Problem.ts"
import { printable } from "../../../values/UntrustedText.ts"
import type { FieldPath, InputField } from "./InputField.ts"
import type { FormMisfit } from "./ReadDraft.ts"

/** Refusals that name their member by their code alone. */
const MEMBER_OF: Readonly<Record<string, string>> = {
  INVALID_MEMO: "memo",
  PROJECT_NOT_FOUND: "project",
  TOKEN_NOT_ACCEPTED: "token",
  INSUFFICIENT_BALANCE: "amount",
  PAYOUT_LIMIT_EXCEEDED: "amount",
  NFT_OVERSPENDING: "amount",
  INVALID_LOAN_SOURCE: "token"
}

/** `a.b[2].c`, or the pointer `/a/b/2/c`, in steps. */
export const stepsOf = (text: string): FieldPath => {
  const steps = text.startsWith("/")
    ? text
        .slice(1)
        .split("/")
        .map(step => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    : text.split(/[.[\]]+/)
  return steps.filter(step => step !== "").map(step => (/^[0-9]+$/.test(step) ? Number(step) : step))
}

/** The deepest field that the steps lead to, with the path that is its own. */
const fieldAt = (
  field: InputField,
  steps: FieldPath,
  path: FieldPath = []
): { readonly field: InputField; readonly path: FieldPath } => {
  const [step, ...rest] = steps
  const { shape } = field
  if (step === undefined) return { field, path }
  if (shape.kind === "list" && typeof step === "number") return fieldAt(shape.item, rest, [...path, step])
  const inner = shape.kind === "group" ? shape.fields.find(({ name }) => name === step) : undefined
  return inner === undefined ? { field, path } : fieldAt(inner, rest, [...path, inner.name])
}

const namedIn = (context: Problem["context"]): string | undefined =>
  [context?.path, context?.pointer, context?.parameter, context?.member].find(isString)

const expectedIn = (context: Problem["context"]): string => {
  const expected = context?.expected
  return isString(expected) ? ` Expected: ${expected}.` : ""
}

/** Undefined where it is about the whole or about no field of this form. */
export const refusedMember = (
  form: InputField,
  { code, detail, context }: Problem
): FormMisfit | undefined => {
  const named = namedIn(context) ?? (Object.hasOwn(MEMBER_OF, code) ? MEMBER_OF[code] : undefined)
  if (named === undefined) return undefined
  const { field, path } = fieldAt(form, stepsOf(named))
  return path.length === 0
    ? undefined
    : {
        path,
        label: field.label,
        words: printable(`The service refused this: ${detail}${expectedIn(context)}`)
      }
}
