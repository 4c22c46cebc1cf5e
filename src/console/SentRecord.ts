/** What the wallet was asked to send, by plan and step: a page that was closed meanwhile finds it again and does not ask twice. */
import { hashIn } from "../client/TransactionHash.ts"

/** `asked` where the wallet has not told a hash. */
export type SentRecord = "asked" | `0x${string}`

interface StepName {
  readonly planId: string
  readonly step: number
}

const nameOf = ({ planId, step }: StepName): string => `sent:${planId}:${step}`

/** Where the browser keeps nothing for this page, it is kept while the page is open. */
const kept = new Map<string, string>()

const stored = <Result>(work: (storage: Storage) => Result): Result | undefined => {
  try {
    return work(localStorage)
  } catch {
    return undefined
  }
}

export const recallSent = (of: StepName): SentRecord | undefined => {
  const text = stored(storage => storage.getItem(nameOf(of))) ?? kept.get(nameOf(of)) ?? ""
  return text === "asked" ? text : hashIn(text)
}

export const keepSent = (of: StepName, record: SentRecord): void => {
  kept.set(nameOf(of), record)
  stored(storage => storage.setItem(nameOf(of), record))
}

export const forgetSent = (of: StepName): void => {
  kept.delete(nameOf(of))
  stored(storage => storage.removeItem(nameOf(of)))
}
