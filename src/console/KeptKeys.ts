/** What is kept, beside what was sent and is not bound, of the key of the tab that sent it: of no use without the owner's wallet. */
import { keepText, sentNames, sentNamesOf, sentText } from "./SentRecord.ts"

export interface KeptKey {
  /** A secret of this origin. */
  readonly salt: `0x${string}`
  readonly grantId: string
  readonly address: string
  /** Of the grant, in Unix seconds. */
  readonly expiresAt: number
}

const KEY = /^\S+ (0x[0-9a-f]{64}) ([0-9a-f-]{36}) (0x[0-9a-f]{40}) ([0-9]{1,15})$/

const isBytes = (text: string): text is `0x${string}` => text.startsWith("0x")

export const keyText = ({ salt, grantId, address, expiresAt }: KeptKey): string =>
  `${salt} ${grantId} ${address} ${expiresAt}`

const keyIn = (name: string): KeptKey | undefined => {
  const [, salt = "", grantId = "", address = "", ends = ""] = KEY.exec(sentText(name)) ?? []
  return isBytes(salt) ? { salt, grantId, address, expiresAt: Number(ends) } : undefined
}

/** What was sent stays. */
export const forgetKeys = (isOver: (key: KeptKey) => boolean): void => {
  for (const name of sentNames()) {
    const key = keyIn(name)
    const [sent = ""] = sentText(name).split(" ")
    if (key !== undefined && isOver(key)) keepText(name, sent)
  }
}

/** Of the tab that sent a step of this plan, as long as its grant holds. */
export const keptKeyOf = (planId: string, nowSeconds: number): KeptKey | undefined =>
  sentNamesOf(planId)
    .flatMap(name => keyIn(name) ?? [])
    .find(({ expiresAt }) => expiresAt > nowSeconds)
