/** What was typed so far, kept as it was typed; it is changed by making it anew. */
import type { FieldPath } from "./InputField.ts"

/** Undefined for a part that was left out. */
export type Draft = string | boolean | undefined | GroupDraft | ListDraft | ChoiceDraft

export interface GroupDraft {
  readonly kind: "group"
  readonly members: DraftMembers
}

export type DraftMembers = Readonly<Record<string, Draft>>

export interface DraftRow {
  /** Stays with the row wherever it is moved. */
  readonly key: number
  readonly draft: Draft
}

export interface ListDraft {
  readonly kind: "list"
  readonly rows: ReadonlyArray<DraftRow>
}

export interface ChoiceDraft {
  readonly kind: "choice"
  readonly chosen: number
  readonly drafts: ReadonlyArray<Draft>
}

const has = (draft: Draft, kind: "group" | "list" | "choice"): boolean =>
  typeof draft === "object" && draft.kind === kind

const isGroupDraft = (draft: Draft): draft is GroupDraft => has(draft, "group")
export const isListDraft = (draft: Draft): draft is ListDraft => has(draft, "list")
export const isChoiceDraft = (draft: Draft): draft is ChoiceDraft => has(draft, "choice")

export const textIn = (draft: Draft): string => (typeof draft === "string" ? draft : "")

export const membersIn = (draft: Draft): DraftMembers => (isGroupDraft(draft) ? draft.members : {})

export const rowsIn = (draft: Draft): ReadonlyArray<DraftRow> => (isListDraft(draft) ? draft.rows : [])

const replaced = (row: DraftRow, path: FieldPath, next: Draft): DraftRow => ({
  ...row,
  draft: withDraft(row.draft, path, next)
})

/** What is changed at a choice's own path, but for the choice itself, is its chosen alternative. */
const isWithin = (draft: Draft, path: FieldPath, next: Draft): draft is ChoiceDraft =>
  isChoiceDraft(draft) && (path.length > 0 || (next !== undefined && !isChoiceDraft(next)))

/** The whole with what stands at a path replaced; a choice is passed through. */
export const withDraft = (draft: Draft, path: FieldPath, next: Draft): Draft => {
  if (isWithin(draft, path, next)) {
    const { chosen } = draft
    const drafts = draft.drafts.map((each, at) => (at === chosen ? withDraft(each, path, next) : each))
    return { ...draft, drafts }
  }
  const [step, ...rest] = path
  if (step === undefined) return next
  if (isListDraft(draft))
    return { ...draft, rows: draft.rows.map((row, at) => (at === step ? replaced(row, rest, next) : row)) }
  if (!isGroupDraft(draft)) return draft
  const inner = withDraft(draft.members[step], rest, next)
  return { ...draft, members: { ...draft.members, [step]: inner } }
}

export const withRows = (list: ListDraft, drafts: ReadonlyArray<Draft>, at = list.rows.length): ListDraft => {
  const first = 1 + Math.max(-1, ...list.rows.map(({ key }) => key))
  const added = drafts.map((draft, index) => ({ key: first + index, draft }))
  return { ...list, rows: [...list.rows.slice(0, at), ...added, ...list.rows.slice(at)] }
}

export const withoutRow = (list: ListDraft, at: number): ListDraft => ({
  ...list,
  rows: list.rows.filter((_, index) => index !== at)
})

/** The row changes places with the one before it. */
export const withRowRaised = (list: ListDraft, at: number): ListDraft => {
  const [row, before] = [list.rows[at], list.rows[at - 1]]
  if (row === undefined || before === undefined) return list
  return { ...list, rows: [...list.rows.slice(0, at - 1), row, before, ...list.rows.slice(at + 1)] }
}

/** Several texts in place of one row; rows after it that are empty make room. */
export const withPasted = (list: ListDraft, at: number, texts: ReadonlyArray<string>): ListDraft => {
  let room = texts.length - 1
  const after = list.rows.slice(at + 1).filter(({ draft }) => draft !== "" || room-- <= 0)
  const before = list.rows.slice(0, at)
  return withRows({ ...list, rows: [...before, ...after] }, texts, before.length)
}

/** With one text in the place of another, wherever it was typed. */
export const withText = (draft: Draft, before: string, next: string): Draft => {
  const inner = (each: Draft) => withText(each, before, next)
  if (typeof draft === "string") return draft.trim().toLowerCase() === before.toLowerCase() ? next : draft
  if (isListDraft(draft))
    return { ...draft, rows: draft.rows.map(row => ({ ...row, draft: inner(row.draft) })) }
  if (isChoiceDraft(draft)) return { ...draft, drafts: draft.drafts.map(inner) }
  if (!isGroupDraft(draft)) return draft
  const members = Object.entries(draft.members).map(([name, each]) => [name, inner(each)])
  return { ...draft, members: Object.fromEntries(members) }
}

/** With the chain of the whole input. */
export const onChain = (draft: Draft, chainId: string): Draft => {
  const { project, chainId: own } = membersIn(draft)
  if (typeof own === "string") return withDraft(draft, ["chainId"], chainId)
  return "chainId" in membersIn(project) ? withDraft(draft, ["project", "chainId"], chainId) : draft
}
