/** What a plan's commitment stands for, recomputed from the plan itself. */
import type { Plan } from "../plans/Plan.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { toHex } from "../values/TypedDataBytes.ts"

export interface PlanOwnership {
  readonly accountId: string
  /** `owner:<accountId>` or `bot:<grantId>`: who prepared the plan. */
  readonly principalId: string
}

/** `0x` and the SHA-256 of the canonical JSON of everything the plan commits to; needs WebCrypto, so a secure context in browsers. */
export const commitmentOf = async (
  plan: Plan,
  { accountId, principalId }: PlanOwnership
): Promise<string> => {
  const { operation, account, project, calls, evidence, summary, warnings, expiresAt, smartAccount } = plan
  const terms = canonicalJson({
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
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(terms))))
}

/** Whether the plan shown is the plan committed to; do not sign a call of a plan for which this is false. */
export const checkCommitment = async (plan: Plan, ownership: PlanOwnership): Promise<boolean> =>
  (await commitmentOf(plan, ownership)) === plan.commitment
