/** What the owners of a wallet are being asked to sign, kept so that a page that is opened again asks for the very same. */

import type { ChallengeQuestion } from "../../client/CheckChallenge.ts"
import { inStore } from "../owners/BrowserStore.ts"

const nameOf = (account: string): string => `binding:${account}`

const isAsked = (value: unknown): value is ChallengeQuestion => {
  const { manifestId, address, nonce, expiresAt } = Object(value)
  return (
    typeof manifestId === "string" &&
    /^0x[0-9a-fA-F]{40}$/.test(address) &&
    /^0x[0-9a-f]{64}$/.test(nonce) &&
    typeof expiresAt === "number"
  )
}

/** Undefined once it is over. */
export const recallChallenge = (account: string, nowSeconds: number): ChallengeQuestion | undefined => {
  const kept: unknown = inStore(storage => JSON.parse(storage.getItem(nameOf(account)) ?? "null"))
  return isAsked(kept) && kept.expiresAt > nowSeconds ? kept : undefined
}

export const keepChallenge = (account: string, asked: ChallengeQuestion): void => {
  inStore(storage => storage.setItem(nameOf(account), JSON.stringify(asked)))
}

export const forgetChallenge = (account: string): void => {
  inStore(storage => storage.removeItem(nameOf(account)))
}
