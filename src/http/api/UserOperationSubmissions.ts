import { Schema } from "effect"
import { CHAIN_PROBLEMS } from "../../chain/refusals.ts"
import { PublicUserOperation, UserOperationId } from "../../useroperations/PublicUserOperation.ts"
import { strict } from "../../values/Strict.ts"
import { signed } from "./Access.ts"
import { declare } from "./Declare.ts"

const LONGEST_ENVELOPE = 16_384

const Envelope = Schema.TemplateLiteral("0x", Schema.String)
  .pipe(Schema.pattern(new RegExp(`^0x(?:[0-9a-fA-F]{2}){1,${LONGEST_ENVELOPE}}$`)))
  .annotations({
    identifier: "OperationEnvelope",
    description: `what the wallet's owners signed: validAfter and validUntil of 6 bytes each, and then their signatures in the ascending order of their addresses; or the signaturePrefix of a session's operation, and then the signature of its key; 1 to ${LONGEST_ENVELOPE} bytes`
  })

export const sendUserOperation = declare({
  name: "submitUserOperation",
  method: "POST",
  at: "/api/v1/user-operations/:id/submissions",
  access: signed({ scope: "relay", idempotency: "required" }),
  summary: "Send a user operation that the wallet's owners or a session's key signed",
  description:
    "Looks at the wallet, its contracts, its nonce and the operation's own run at one head of its chain, looks there at its session too, if it has one, binds the steps and the wallet's nonce for good, and sends the operation to a bundler once for ever, whatever it answers. One that somebody else had carried already is bound and followed, and not sent, though its time is over. The answer acknowledges processing: no word of a bundler is completion. A key that was used is answered from storage.",
  path: strict({ id: UserOperationId }),
  body: strict({ signature: Envelope }),
  success: PublicUserOperation,
  status: 202,
  problems: [
    "IDEMPOTENCY_REQUIRED",
    "IDEMPOTENCY_CONFLICT",
    "USER_OPERATION_NOT_FOUND",
    "USER_OPERATIONS_UNAVAILABLE",
    "USER_OPERATION_CHAIN_UNAVAILABLE",
    "USER_OPERATION_EXPIRED",
    "USER_OPERATION_CONFLICT",
    "USER_OPERATION_NONCE_RESERVED",
    "USER_OPERATION_NONCE_CHANGED",
    "USER_OPERATION_REFUSED",
    "USER_OPERATION_FUNDING_REQUIRED",
    "SESSION_NOT_FOUND",
    "SESSION_NOT_ACTIVE",
    "SESSION_OBSERVATION_STALE",
    "SESSION_PLAN_NOT_ADMITTED",
    "SESSION_CALL_REFUSED",
    "SESSION_BUDGET_EXHAUSTED",
    "SESSION_SIGNATURE_MISMATCH",
    "INVALID_ENVELOPE",
    "INVALID_OWNER_SIGNATURES",
    "OWNER_SIGNATURES_MISMATCH",
    "SMART_ACCOUNT_CHANGED",
    "SMART_ACCOUNT_UNSUPPORTED",
    "SMART_ACCOUNT_UNDEPLOYED",
    "PLAN_NOT_FOUND",
    "STEP_NOT_FOUND",
    "STEP_ALREADY_BOUND",
    "TRANSPORT_CONFLICT",
    "DEPENDENCIES_UNCONFIRMED",
    "CONCURRENT_UPDATE",
    "SIMULATION_REVERTED",
    "BUNDLER_UNAVAILABLE",
    "BUNDLER_TIMEOUT",
    "BUNDLER_INVALID_RESPONSE",
    "DISPATCH_PERSISTENCE_UNCERTAIN",
    "BLOCK_UNAVAILABLE",
    ...CHAIN_PROBLEMS
  ]
})
