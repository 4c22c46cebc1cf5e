/** Names an account in logs and traces without telling its address. */
import { createHash } from "node:crypto"

const KEPT = 10_000
const LENGTH = 16

export const makeAccountHash = () => {
  const known = new Map<string, string>()
  return (accountId: string): string => {
    const found = known.get(accountId)
    if (found !== undefined) return found
    const hash = createHash("sha256").update(accountId).digest("hex").slice(0, LENGTH)
    if (known.size >= KEPT) known.clear()
    known.set(accountId, hash)
    return hash
  }
}
