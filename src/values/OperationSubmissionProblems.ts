/** The codes of what is refused when a user operation is to be sent. */
import { entry } from "./ProblemEntry.ts"

export const operationSubmissionProblems = {
  INVALID_ENVELOPE: entry(
    400,
    "The signature is not the prepared envelope: its times, and then 65 bytes for each of as many owners as the wallet's threshold; or the session's prefix, and then 65 bytes of its key's; context.fault says which of it fails."
  ),
  USER_OPERATION_CONFLICT: entry(
    409,
    "Another request sent the operation, by another key or with other signatures: it is never sent again. Where one is prepared: another one of its steps, which context.operationId names, was executed though not sent from here; its own signature, submitted, takes it up."
  ),
  USER_OPERATION_NONCE_RESERVED: entry(
    409,
    "The wallet's nonce belongs to an operation that was sent before, and that may still be executed; or, where context.reason is account, to one of another account that is proved dead: the wallet's own call of the entry point's incrementNonce(context.nonceKey) uses it up."
  ),
  USER_OPERATION_NONCE_CHANGED: entry(
    409,
    "The wallet's nonce is not the operation's any more; prepare again.",
    true
  ),
  USER_OPERATION_REFUSED: entry(
    422,
    "The entry point refuses the operation; context.reason is its code where it gives one, context.revert what it reverts with."
  ),
  USER_OPERATION_FUNDING_REQUIRED: entry(
    422,
    "The wallet cannot pay for the operation's gas and what its calls send; context.required is in wei. Fund the wallet, then send again."
  )
} as const
