/** Binds a step to one transport and one transaction, for good. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer } from "effect"
import type { SignedTransaction } from "../chain/SignedTransaction.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { refusingSql } from "../database/SqlFailure.ts"
import { LockedPlan } from "../plans/LockedPlan.ts"
import { COST_SCOPE, type StepTransaction, type Transport } from "../plans/Plan.ts"
import type { StepFacts } from "../plans/Step.ts"
import { RandomIds } from "../values/RandomIds.ts"
import { StepAlreadyBound, TransportConflict } from "./refusals.ts"

const TRANSPORT: Transport = "signed-eoa-transaction"

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

/** A step that is bound elsewhere stays so. */
export const checkBinding = ({ binding }: Pick<StepFacts, "binding">, hash: string) => {
  if (binding === undefined) return Effect.void
  if (binding.transport !== TRANSPORT)
    return Effect.fail(new TransportConflict({ context: { transport: binding.transport } }))
  return binding.hash === hash
    ? Effect.void
    : Effect.fail(new StepAlreadyBound({ context: { transactionHash: binding.hash } }))
}

export class TransportBinding extends Context.Tag("dispatch/TransportBinding")<
  TransportBinding,
  {
    readonly bind: (
      step: number,
      transaction: SignedTransaction
    ) => Effect.Effect<void, StepAlreadyBound | TransportConflict | DatabaseUnavailable, LockedPlan>
  }
>() {
  static readonly layer = Layer.effect(
    TransportBinding,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const ids = yield* RandomIds

      const bind = Effect.fn("TransportBinding.bind")(function* (
        step: number,
        transaction: SignedTransaction
      ) {
        const { plan } = yield* LockedPlan
        const binding = plan.facts[step]?.binding
        yield* checkBinding({ binding }, transaction.hash)
        if (binding !== undefined) return
        const bindingId = yield* ids.uuid
        yield* sql`
          INSERT INTO transport_bindings (plan, step, transport, binding_id, hash, transaction, raw, bound_at)
          VALUES (${plan.id}, ${step}, ${TRANSPORT}, ${bindingId}, ${transaction.hash},
            ${JSON.stringify(recordOf(transaction))}, ${Buffer.from(transaction.raw.slice(2), "hex")}, unix_millis())`
      }, refusingSql)

      return { bind }
    })
  )
}
