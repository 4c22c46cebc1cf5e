/** What a step is bound to with a wallet's own transaction: its hash and bytes, and the wallet's nonce on its chain. */
import type { Bound } from "../dispatch/Transport.ts"
import { COST_SCOPE, type StepTransaction } from "../plans/Plan.ts"
import type { SignedTransaction } from "./SignedTransaction.ts"

/** What is kept of a transaction beside its bytes. */
const recordOf = (transaction: SignedTransaction): StepTransaction => ({
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

export const boundTo = (transaction: SignedTransaction): Bound => ({
  transport: "signed-eoa-transaction",
  hash: transaction.hash,
  nonce: {
    scope: `eip155:${transaction.chainId}:${transaction.sender.toLowerCase()}`,
    text: String(transaction.nonce)
  },
  kept: { transaction: recordOf(transaction), raw: `\\x${transaction.raw.slice(2)}` }
})
