/** What the wallet was asked to send, by plan and step: a page that was closed meanwhile finds it again and does not ask twice. */
import { hashIn } from "../client/TransactionHash.ts"

/** `asked` where the wallet has not told a hash. */
export type SentRecord = "asked" | `0x${string}`

export interface StepName {
  readonly planId: string
  readonly step: number
}

const PREFIX = "sent:"

export const sentNameOf = ({ planId, step }: StepName): string => `${PREFIX}${planId}:${step}`

/** Where the browser keeps nothing for this page, it is kept while the page is open. */
const kept = new Map<string, string>()

const stored = <Result>(work: (storage: Storage) => Result): Result | undefined => {
  try {
    return work(localStorage)
  } catch {
    return undefined
  }
}

/** Names that another tab wrote since this one did. */
const byOthers = new Set<string>()

export const sentNames = (): ReadonlyArray<string> =>
  [...new Set([...kept.keys(), ...(stored(Object.keys) ?? [])])].filter(name => name.startsWith(PREFIX))

/** None where no plan is named. */
export const sentNamesOf = (planId: string): ReadonlyArray<string> =>
  sentNames().filter(name => name.startsWith(`${PREFIX}${planId}:`))

/** The record, and after a space what belongs to the key of the tab that sent it. */
export const sentText = (name: string): string =>
  stored(storage => storage.getItem(name)) ?? kept.get(name) ?? ""

export const keepText = (name: string, text: string): void => {
  kept.set(name, text)
  stored(storage => storage.setItem(name, text))
}

export const recallSent = (of: StepName): SentRecord | undefined => {
  const [text = ""] = sentText(sentNameOf(of)).split(" ")
  return text === "asked" ? text : hashIn(text)
}

/** Where the wallet told one, nothing else may be prepared for the step. */
export const sentHash = (of: StepName): `0x${string}` | undefined => {
  const record = recallSent(of)
  return record === "asked" ? undefined : record
}

/** `key` is that of the tab, where the plan is the tab's; what is kept of one stays otherwise. */
export const keepSent = (of: StepName, record: SentRecord, key: string | undefined): void => {
  const name = sentNameOf(of)
  const [, ...before] = sentText(name).split(" ")
  byOthers.delete(name)
  keepText(name, [record, ...(key === undefined ? before : [key])].join(" "))
}

/** What another tab keeps stays known here after it forgot that, since it forgets what the service follows. */
export const rememberOthers = ({ key, newValue }: Pick<StorageEvent, "key" | "newValue">): void => {
  const [record = ""] = (newValue ?? "").split(" ")
  if (key?.startsWith(PREFIX) !== true || record === "") return
  kept.set(key, record)
  byOthers.add(key)
}

/** Whether what is kept of it is what this tab wrote. */
export const isOwnRecord = (of: StepName): boolean => !byOthers.has(sentNameOf(of))

export const forgetSent = (of: StepName): void => {
  kept.delete(sentNameOf(of))
  stored(storage => storage.removeItem(sentNameOf(of)))
}
