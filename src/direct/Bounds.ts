/** The operator's bounds on what is to leave: what is bound already, or what its chain has, is followed whatever it is. */
import { Effect } from "effect"
import { ChainClient } from "../chain/ChainClient.ts"
import { transactionByHash } from "../chain/Reads.ts"
import { factsOf, type StoredPlan } from "../plans/PlanRow.ts"
import { Settings, type SettingsShape } from "../settings/Settings.ts"
import { MOST_TRANSACTION_GAS } from "../values/TransactionGas.ts"
import { isBefore } from "./Preflight.ts"
import { AccessListBound, TransactionCostBound, TransactionFeeBound } from "./refusals.ts"
import type { SignedTransaction } from "./SignedTransaction.ts"
import { evidenceFor } from "./Submission.ts"

/** Addresses and storage keys together. */
const accessListItems = ({ accessList }: SignedTransaction): number =>
  accessList.reduce((items, { storageKeys }) => items + 1 + storageKeys.length, 0)

/** Ethereum and Sepolia, whose nodes take no transaction of more gas (EIP-7825). */
const CAPPED_CHAINS = [1, 11_155_111]

export const boundFault = (transaction: SignedTransaction, { plans }: Pick<SettingsShape, "plans">) => {
  if (transaction.gas > MOST_TRANSACTION_GAS && CAPPED_CHAINS.includes(transaction.chainId))
    return new TransactionFeeBound({
      detail: `The chain takes no transaction of more than ${MOST_TRANSACTION_GAS} gas.`,
      context: { member: "gas", limit: String(MOST_TRANSACTION_GAS) }
    })
  if (transaction.gas > plans.maximumGas)
    return new TransactionFeeBound({ context: { member: "gas", limit: String(plans.maximumGas) } })
  if (transaction.maximumFeePerGas > plans.maximumFeePerGas)
    return new TransactionFeeBound({
      context: { member: "maximumFeePerGas", limit: String(plans.maximumFeePerGas) }
    })
  if (accessListItems(transaction) > plans.maximumAccessListItems)
    return new AccessListBound({ context: { limit: plans.maximumAccessListItems } })
  if (transaction.maximumCost > plans.maximumTransactionCost)
    return new TransactionCostBound({ context: { limit: String(plans.maximumTransactionCost) } })
  return undefined
}

/** One question to the chain, of what is over a bound and not bound. */
export const faultOfBounds = Effect.fnUntraced(function* (
  plan: StoredPlan,
  step: number,
  transaction: SignedTransaction
) {
  const fault = boundFault(transaction, yield* Settings)
  if (fault === undefined || factsOf(plan, step).binding !== undefined) return undefined
  const { chainId, hash } = transaction
  const evidence = yield* evidenceFor(plan, chainId)
  const { answers } = yield* (yield* ChainClient).begin(chainId, [transactionByHash(hash)])
  const [known] = answers
  return known !== null && !isBefore(known, evidence) ? undefined : fault
})
