/** Stored user operations, decoded once. */
import { Effect, Schema } from "effect"
import type { SearchFacts } from "../plans/Binding.ts"
import { factsFrom, StepRow } from "../plans/PlanRow.ts"
import type { StepFacts } from "../plans/Step.ts"
import { rowDecoder } from "../values/Conforms.ts"
import { Address, Bytes32, Hex } from "../values/Scalars.ts"
import { UserOperation } from "../values/UserOperation.ts"
import { OperationSession } from "./PublicUserOperation.ts"

const checksummed = Schema.typeSchema(Address)

/** Times are in seconds. */
const OwnersSigning = Schema.Struct({
  digest: Bytes32,
  validAfter: Schema.Number,
  validUntil: Schema.Number,
  threshold: Schema.Number,
  owners: Schema.Array(checksummed)
})
export type OwnersSigning = typeof OwnersSigning.Type

/** With the policy's times, and all of the envelope that stands before the key's signature. */
const SessionKeySigning = Schema.Struct({
  ...OwnersSigning.fields,
  session: OperationSession,
  signaturePrefix: Hex
})
export type SessionKeySigning = typeof SessionKeySigning.Type

/** What is kept of it beside the columns: all that is shown or signed. */
const OperationTerms = Schema.Struct({
  entryPoint: checksummed,
  adapter: checksummed,
  manifestId: Schema.String,
  gasPolicyId: Schema.String,
  providerId: Schema.String,
  operation: UserOperation,
  signing: Schema.Union(SessionKeySigning, OwnersSigning)
})
export type OperationTerms = typeof OperationTerms.Type

const SendRow = Schema.Struct({
  commitment: Bytes32,
  startedAt: Schema.Number,
  leaseEndsAt: Schema.Number,
  outcome: Schema.NullOr(Schema.Literal("accepted", "unknown")),
  answeredAt: Schema.NullOr(Schema.Number)
})
export type StoredSend = typeof SendRow.Type

const ScopedRow = Schema.Struct({
  blockHash: Bytes32,
  count: Schema.Number,
  hash: Bytes32,
  actualGasCost: Schema.String
})

const UserOperationRow = Schema.Struct({
  id: Schema.String,
  account_id: Schema.String,
  principal: Schema.String,
  plan: Schema.String,
  plan_commitment: Bytes32,
  plan_ends_at: Schema.Number,
  steps: Schema.Array(Schema.Number),
  chain_id: Schema.Number,
  since_block: Schema.Number,
  binding: Bytes32,
  state_hash: Bytes32,
  terms: OperationTerms,
  operation_hash: Bytes32,
  commitment: Bytes32,
  created_at: Schema.Number,
  expires_at: Schema.Number,
  maximum_cost: Schema.String,
  revision: Schema.Number,
  plan_revision: Schema.Number,
  claimed: Schema.Boolean,
  is_dead: Schema.Boolean,
  is_bound: Schema.Boolean,
  is_sent_perhaps: Schema.Boolean,
  now: Schema.Number,
  send: Schema.NullOr(SendRow),
  scoped: Schema.NullOr(ScopedRow),
  step_facts: Schema.Array(StepRow)
})

const UnsentRow = Schema.Struct({
  id: Schema.String,
  operation_hash: Bytes32,
  nonce: Schema.String,
  since_block: Schema.Number,
  searched_block: Schema.NullOr(Schema.Number),
  searched_hash: Schema.NullOr(Bytes32),
  valid_until: Schema.Number
})

/** One that was not sent from here, as it is looked for on its chain. */
export interface UnsentOperation extends SearchFacts {
  readonly id: string
  readonly operationHash: Bytes32
  readonly nonce: bigint
  /** In seconds: no later block can execute it. */
  readonly validUntil: number
}

export interface StoredUserOperation extends OperationTerms {
  readonly id: string
  readonly accountId: string
  readonly principalId: string
  readonly planId: string
  readonly planCommitment: Bytes32
  readonly stepIndexes: ReadonlyArray<number>
  readonly chainId: number
  /** The block that it was prepared at. */
  readonly sinceBlock: number
  readonly bindingId: Bytes32
  readonly stateHash: Bytes32
  readonly operationHash: Bytes32
  readonly commitment: Bytes32
  readonly createdAt: number
  readonly expiresAt: number
  /** Which may have been ended before its time. */
  readonly planEndsAt: number
  readonly maximumCost: string
  /** Grows with whatever is shown of it: its plan's outcomes too. */
  readonly revision: number
  /** No block can execute it any more. */
  readonly isDead: boolean
  /** Its wallet is linked, in the state that it was prepared for. */
  readonly isBound: boolean
  /** The database was restored since it was stored, and what was sent in between is not known. */
  readonly isSentPerhaps: boolean
  /** The database's time when the row was read. */
  readonly now: number
  readonly send: StoredSend | undefined
  /** Of the block that it was seen executed in. */
  readonly scoped: typeof ScopedRow.Type | undefined
  /** Of all steps of the plan. */
  readonly facts: ReadonlyArray<StepFacts>
}

/** Of one that was not sent from here: what its chain has of it is followed, and nothing else. */
export const isOverdue = ({ expiresAt, planEndsAt, now }: StoredUserOperation): boolean =>
  Math.min(expiresAt, planEndsAt) <= now

export const hasLeftOtherwise = ({ stepIndexes, facts }: StoredUserOperation): boolean =>
  stepIndexes.some(index => facts[index]?.binding !== undefined)

const decode = rowDecoder(UserOperationRow)

export const userOperationFromRow = (row: unknown): Effect.Effect<StoredUserOperation> =>
  Effect.map(Effect.orDie(decode(row)), stored => ({
    ...stored.terms,
    id: stored.id,
    accountId: stored.account_id,
    principalId: stored.principal,
    planId: stored.plan,
    planCommitment: stored.plan_commitment,
    stepIndexes: stored.steps,
    chainId: stored.chain_id,
    sinceBlock: stored.since_block,
    bindingId: stored.binding,
    stateHash: stored.state_hash,
    operationHash: stored.operation_hash,
    commitment: stored.commitment,
    createdAt: stored.created_at,
    expiresAt: stored.expires_at,
    planEndsAt: stored.plan_ends_at,
    maximumCost: stored.maximum_cost,
    revision: stored.revision + stored.plan_revision,
    isDead: stored.is_dead,
    isBound: stored.is_bound,
    isSentPerhaps: stored.is_sent_perhaps,
    now: stored.now,
    send: stored.send ?? undefined,
    scoped: stored.scoped ?? undefined,
    facts: stored.step_facts.map(factsFrom)
  }))

const decodeUnsent = rowDecoder(UnsentRow)

export const unsentFromRow = (row: unknown): Effect.Effect<UnsentOperation> =>
  Effect.map(Effect.orDie(decodeUnsent(row)), unsent => ({
    id: unsent.id,
    operationHash: unsent.operation_hash,
    nonce: BigInt(unsent.nonce),
    sinceBlock: unsent.since_block,
    searchedBlock: unsent.searched_block,
    searchedHash: unsent.searched_hash,
    validUntil: unsent.valid_until
  }))
