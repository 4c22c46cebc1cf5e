/** Gives the bytes to the node once, and says whether it has them. */
import { Effect } from "effect"
import type { ChainSession } from "../chain/ChainClient.ts"
import { transactionByHash } from "../chain/Reads.ts"
import type { DispatchOutcome } from "../dispatch/DispatchLease.ts"
import { failpoint } from "../values/Failpoint.ts"
import type { SignedTransaction } from "./SignedTransaction.ts"

/** A refusal or a silence is no outcome: whether the node knows the hash is. */
const lookUp = (session: ChainSession, transaction: SignedTransaction): Effect.Effect<DispatchOutcome> =>
  Effect.match(
    Effect.zipRight(failpoint("broadcast.refused"), session.all([transactionByHash(transaction.hash)])),
    {
      onFailure: () => "unknown",
      onSuccess: ([known]) => (known === null ? "unknown" : "submitted")
    }
  )

export const sendOnce = (
  session: ChainSession,
  transaction: SignedTransaction
): Effect.Effect<DispatchOutcome> =>
  Effect.matchEffect(session.sendRaw(transaction.raw), {
    onFailure: () => lookUp(session, transaction),
    onSuccess: answer =>
      answer._tag === "Accepted" && answer.hash === transaction.hash
        ? Effect.succeed<DispatchOutcome>("submitted")
        : lookUp(session, transaction)
  })
