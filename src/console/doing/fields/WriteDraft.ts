/** The form as it starts, and as it would be typed for a given input. */
import { formatUnits } from "viem"
import { NATIVE, WALLET } from "../words/MemberWords.ts"
import type { Draft, DraftMembers } from "./Draft.ts"
import { localText } from "./Exactly.ts"
import type { InputField } from "./InputField.ts"
import { isAmount, type KnownFacts, type Surroundings, tokenOfUnit, within } from "./Surroundings.ts"

const NATIVE_TOKEN = "0x000000000000000000000000000000000000EEEe"

const listOf = (drafts: ReadonlyArray<Draft>): Draft => ({
  kind: "list",
  rows: drafts.map((draft, key) => ({ key, draft }))
})

const startText = ({ start, unit, shape }: InputField, known: KnownFacts): string => {
  if (start === WALLET) return known.wallet
  if (start === NATIVE) return NATIVE_TOKEN
  if (unit?.kind === "chain") return String(known.chains[0]?.id ?? "")
  return start ?? (shape.kind === "options" ? String(shape.values[0]) : "")
}

/** What a part starts as once it is there. */
export const startOfPart = (field: InputField, known: KnownFacts): Draft => {
  const { shape } = field
  switch (shape.kind) {
    case "group":
      return {
        kind: "group",
        members: Object.fromEntries(shape.fields.map(each => [each.name, startDraft(each, known)]))
      }
    case "list":
      return listOf(Array.from({ length: shape.begun }, () => startOfPart(shape.item, known)))
    case "choice":
      return { kind: "choice", chosen: 0, drafts: shape.alternatives.map(each => startOfPart(each, known)) }
    case "fixed":
      return undefined
    case "flag":
      return field.fallback === true
    default:
      return field.isRequired ? startText(field, known) : ""
  }
}

/** Lists, groups and choices that may be left out are. */
export const startDraft = (field: InputField, known: KnownFacts): Draft => {
  const { shape, isRequired } = field
  const isPart = shape.kind === "group" || shape.kind === "list" || shape.kind === "choice"
  return isPart && !isRequired ? undefined : startOfPart(field, known)
}

const isEmptyValue = ({ empty }: InputField, value: unknown): boolean =>
  empty !== undefined && String(value).toLowerCase() === String(empty.value).toLowerCase()

const typedText = (field: InputField, value: unknown, around: Surroundings): string => {
  const { unit, shape } = field
  if (isEmptyValue(field, value)) return ""
  const text = String(value)
  if (shape.kind !== "digits" || !/^[0-9]+$/.test(text)) return text
  if (unit?.kind === "time") return localText(text)
  const token = tokenOfUnit(unit, around)
  if (token !== undefined) return formatUnits(BigInt(text), token.decimals)
  return isAmount(unit) ? `${text} units` : text
}

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined

/** Members as texts, by which amounts beside them find their token. */
const bareMembers = (value: unknown): DraftMembers =>
  Object.fromEntries(
    Object.entries(Object(value)).map(([name, each]) => [
      name,
      typeof each === "object" ? { kind: "group", members: bareMembers(each) } : String(each)
    ])
  )

/** Of a choice, the first alternative that is of the value's kind. */
const alternativeFor = (alternatives: ReadonlyArray<InputField>, value: unknown): number => {
  const fits = ({ shape }: InputField): boolean => {
    if (shape.kind === "fixed") return shape.value === value
    if (shape.kind === "list") return Array.isArray(value)
    if (shape.kind === "group") return typeof value === "object" && value !== null && !Array.isArray(value)
    return (
      typeof value === (shape.kind === "number" ? "number" : shape.kind === "flag" ? "boolean" : "string")
    )
  }
  return Math.max(0, alternatives.findIndex(fits))
}

export const draftOf = (field: InputField, value: unknown, around: Surroundings): Draft => {
  const { shape } = field
  if (value === undefined) return startDraft(field, around.known)
  switch (shape.kind) {
    case "group": {
      const inner = within(around, bareMembers(value))
      const members = shape.fields.map(each => [each.name, draftOf(each, member(value, each.name), inner)])
      return { kind: "group", members: Object.fromEntries(members) }
    }
    case "list":
      return listOf(Array.isArray(value) ? value.map(each => draftOf(shape.item, each, around)) : [])
    case "choice": {
      const chosen = alternativeFor(shape.alternatives, value)
      const drafts = shape.alternatives.map((each, at) =>
        at === chosen ? draftOf(each, value, around) : startOfPart(each, around.known)
      )
      return { kind: "choice", chosen, drafts }
    }
    case "fixed":
      return undefined
    case "flag":
      return value === true
    default:
      return typedText(field, value, around)
  }
}
