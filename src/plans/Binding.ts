/** What a step leaves by, for good: one transport, and what is kept of it there. */
import { Schema } from "effect"
import { Bytes32, Hex } from "../values/Scalars.ts"
import { StepTransaction } from "./Plan.ts"

const OfTransaction = Schema.Struct({
  transport: Schema.Literal("signed-eoa-transaction"),
  bindingId: Schema.String,
  hash: Bytes32,
  transaction: StepTransaction
})

/** From where and how far the chain was looked through for what others execute. */
const searchFacts = {
  /** The block that it was prepared at. */
  sinceBlock: Schema.Number,
  /** Up to here nothing executed it. */
  searchedBlock: Schema.NullOr(Schema.Number),
  searchedHash: Schema.NullOr(Bytes32)
}

/** What its chain is looked at for; addresses are in lower case. */
const RequestFacts = Schema.Struct({
  ...searchFacts,
  forwarder: Hex,
  forwarderCodeHash: Bytes32,
  nonce: Schema.String,
  gas: Schema.String,
  deadline: Schema.Number,
  /** The hash that the provider names: where to look, and nothing more. */
  hint: Schema.NullOr(Bytes32),
  providerState: Schema.NullOr(Schema.String),
  /** No block can execute it any more. */
  isDead: Schema.Boolean
})

/** One request of a sponsorship, which may hold several. */
const OfForwardRequest = Schema.Struct({
  transport: Schema.Literal("forwarder-prepaid-erc2771"),
  bindingId: Schema.String,
  request: RequestFacts
})

/** Of the operation as a whole, whose steps stand and fall together; addresses are in lower case. */
const OperationFacts = Schema.Struct({
  ...searchFacts,
  operationHash: Bytes32,
  entryPoint: Hex,
  entryPointCodeHash: Bytes32,
  sender: Hex,
  walletCodeHash: Bytes32,
  nonce: Schema.String,
  /** Unix time in seconds. */
  validUntil: Schema.Number,
  /** The transaction that the bundler names: where to look, and nothing more. */
  hint: Schema.NullOr(Bytes32),
  /** No block can execute it any more. */
  isDead: Schema.Boolean,
  paymaster: Schema.NullOr(Hex),
  maximumCost: Schema.String,
  /** How many steps it holds. */
  calls: Schema.Number,
  /** Of the step among them, from 0. */
  position: Schema.Number,
  /** The block whose logs of it are kept. */
  observedBlock: Schema.NullOr(Bytes32)
})

/** The operation that the step is a call of, which may hold several. */
const OfOperation = Schema.Struct({
  transport: Schema.Literal("eip4337-user-operation"),
  bindingId: Schema.String,
  operation: OperationFacts
})

export const Binding = Schema.Union(OfTransaction, OfForwardRequest, OfOperation)
export type Binding = typeof Binding.Type
export type SearchFacts = Schema.Schema.Type<Schema.Struct<typeof searchFacts>>
export type TransactionBinding = typeof OfTransaction.Type
export type ForwardBinding = typeof OfForwardRequest.Type
export type OperationBinding = typeof OfOperation.Type

/** The wallet's own transaction that the step is bound to, if it is bound to one. */
export const transactionOf = (binding: Binding | undefined): TransactionBinding | undefined =>
  binding?.transport === "signed-eoa-transaction" ? binding : undefined

/** The forward request that the step is bound to, if it is bound to one. */
export const forwardRequestOf = (binding: Binding | undefined): ForwardBinding["request"] | undefined =>
  binding?.transport === "forwarder-prepaid-erc2771" ? binding.request : undefined

/** The user operation that the step is bound to, if it is bound to one. */
export const userOperationOf = (binding: Binding | undefined): OperationBinding["operation"] | undefined =>
  binding?.transport === "eip4337-user-operation" ? binding.operation : undefined

/** Of the nonces that a wallet's owners sign with; each session's guard has a key of its own. */
export const OWNERS_NONCE_KEY = 0n

const SEQUENCE_BITS = 64n

export const isOfSession = ({ nonce }: Pick<OperationBinding["operation"], "nonce">): boolean =>
  BigInt(nonce) >> SEQUENCE_BITS !== OWNERS_NONCE_KEY
