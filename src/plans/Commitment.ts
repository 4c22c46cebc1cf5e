/** What a plan's owner commits to: everything that the stored record will dispatch, and until when. */
import { createHash } from "node:crypto"
import { canonicalJson } from "../values/CanonicalJson.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import type { Terms } from "./PlanRow.ts"

export interface Committed extends Terms {
  readonly accountId: string
  readonly principalId: string
  readonly expiresAt: number
}

export const commitmentOf = (committed: Committed): Bytes32 => {
  const {
    accountId,
    principalId,
    operation,
    account,
    project,
    calls,
    evidence,
    summary,
    warnings,
    expiresAt,
    smartAccount
  } = committed
  const text = canonicalJson({
    accountId,
    principalId,
    operation,
    account,
    project,
    calls,
    evidence,
    summary,
    warnings,
    expiresAt,
    smartAccount
  })
  return `0x${createHash("sha256").update(text).digest("hex")}`
}
