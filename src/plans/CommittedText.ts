/** What a plan's owner commits to, as one text: everything that the stored record will dispatch, and until when. */
import { canonicalJson } from "../values/CanonicalJson.ts"
import type { Plan } from "./Plan.ts"

const MEMBERS = [
  "operation",
  "account",
  "project",
  "calls",
  "evidence",
  "summary",
  "warnings",
  "expiresAt",
  "smartAccount"
] as const

export interface PlanOwnership {
  readonly accountId: string
  /** `owner:<accountId>` or `bot:<grantId>`: who prepared the plan. */
  readonly principalId: string
}

export type Committed = Pick<Plan, (typeof MEMBERS)[number]>

export const committedText = (plan: Committed, { accountId, principalId }: PlanOwnership): string =>
  canonicalJson({
    accountId,
    principalId,
    ...Object.fromEntries(MEMBERS.map(member => [member, plan[member]]))
  })
