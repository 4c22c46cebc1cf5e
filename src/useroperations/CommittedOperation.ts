/** What is committed to of a user operation, as one text: exactly what may be sent, for whom, and until when. */
import type { PlanOwnership } from "../plans/CommittedText.ts"
import type { TransportName } from "../plans/Plan.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import type { OperationValidity } from "../values/SafeOperation.ts"
import type { OperationSession, PublicUserOperation } from "./PublicUserOperation.ts"

export const OPERATED = "eip4337-user-operation" satisfies TransportName

const MEMBERS = [
  "planId",
  "planCommitment",
  "stepIndexes",
  "chainId",
  "entryPoint",
  "operation",
  "operationHash",
  "bindingId",
  "stateHash",
  "gasPolicyId",
  "providerId",
  "expiresAt"
] as const

export type CommittedOperation = Pick<PublicUserOperation, (typeof MEMBERS)[number]> & {
  readonly session?: OperationSession | undefined
  /** Of a session's operation those of its policy. */
  readonly signing: OperationValidity
}

export const committedOperationText = (
  operation: CommittedOperation,
  { accountId, principalId }: PlanOwnership
): string => {
  const { validAfter, validUntil } = operation.signing
  return canonicalJson({
    accountId,
    principalId,
    ...Object.fromEntries(MEMBERS.map(member => [member, operation[member]])),
    ...(operation.session === undefined ? {} : { session: operation.session }),
    validAfter,
    validUntil
  })
}
