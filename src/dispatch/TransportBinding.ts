/** A step is bound to one transport and one transaction, for good. */
import { Effect } from "effect"
import type { SignedTransaction } from "../chain/SignedTransaction.ts"
import { COST_SCOPE, type StepTransaction, type Transport } from "../plans/Plan.ts"
import type { StepFacts } from "../plans/Step.ts"
import { StepAlreadyBound, TransportConflict } from "./refusals.ts"

export const TRANSPORT: Transport = "signed-eoa-transaction"

/** What is kept of a transaction beside its bytes. */
export const recordOf = (transaction: SignedTransaction): StepTransaction => ({
  hash: transaction.hash,
  sender: transaction.sender,
  chainId: transaction.chainId,
  nonce: String(transaction.nonce),
  type: transaction.type,
  gas: String(transaction.gas),
  maximumFeePerGas: String(transaction.maximumFeePerGas),
  maximumCost: String(transaction.maximumCost),
  costScope: COST_SCOPE
})

/** What can be reserved but once. */
export interface Nonce {
  readonly scope: string
  readonly text: string
}

/** A wallet's nonce is its own on each chain. */
export const nonceOf = ({ chainId, sender, nonce }: SignedTransaction): Nonce => ({
  scope: `eip155:${chainId}:${sender.toLowerCase()}`,
  text: String(nonce)
})

/** A step that is bound elsewhere stays so. */
export const checkBinding = ({ binding }: Pick<StepFacts, "binding">, hash: string) => {
  if (binding === undefined) return Effect.void
  if (binding.transport !== TRANSPORT)
    return Effect.fail(new TransportConflict({ context: { transport: binding.transport } }))
  return binding.hash === hash
    ? Effect.void
    : Effect.fail(new StepAlreadyBound({ context: { transactionHash: binding.hash } }))
}
