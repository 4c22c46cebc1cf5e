/** What a step leaves by, for good: one transport, and what is kept of it there. */
import { Schema } from "effect"
import { Bytes32 } from "../values/Scalars.ts"
import { StepTransaction } from "./Plan.ts"

const OfTransaction = Schema.Struct({
  transport: Schema.Literal("signed-eoa-transaction"),
  bindingId: Schema.String,
  hash: Bytes32,
  transaction: StepTransaction
})

/** Of a record that tells the rest, and may hold several steps. */
const OfRecord = Schema.Struct({
  transport: Schema.Literal("forwarder-prepaid-erc2771", "eip4337-user-operation"),
  bindingId: Schema.String
})

export const Binding = Schema.Union(OfTransaction, OfRecord)
export type Binding = typeof Binding.Type
export type TransactionBinding = typeof OfTransaction.Type

/** The wallet's own transaction that the step is bound to, if it is bound to one. */
export const transactionOf = (binding: Binding | undefined): TransactionBinding | undefined =>
  binding?.transport === "signed-eoa-transaction" ? binding : undefined
