/** The SQL of user operations. */
import * as SqlClient from "@effect/sql/SqlClient"
import type * as Statement from "@effect/sql/Statement"
import { Context, Effect, Layer, Schema } from "effect"
import { AccountActors } from "../accounts/AccountActors.ts"
import { numberOf } from "../accounts/AccountNumber.ts"
import type { Actor } from "../accounts/Principal.ts"
import { AccountNotFound, Forbidden, type ServiceBusy, StorageLimit } from "../accounts/refusals.ts"
import type { RequestKey } from "../auth/Idempotency.ts"
import { IdempotencyConflict } from "../auth/refusals.ts"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { PlanExpired, PlanNotFound } from "../plans/refusals.ts"
import { keysFor } from "../plans/Storage.ts"
import { Settings } from "../settings/Settings.ts"
import { decoder } from "../values/Conforms.ts"
import type { Address, Bytes32 } from "../values/Scalars.ts"
import type { UserOperation } from "../values/UserOperation.ts"
import { OPERATION_RECORDS } from "./OperationRecords.ts"
import { type OwnOperation, ownUserOperations } from "./OwnOperations.ts"
import { UserOperationConflict, UserOperationNotFound } from "./refusals.ts"
import {
  type OperationTerms,
  type StoredUserOperation,
  type UnsentOperation,
  unsentFromRow,
  userOperationFromRow
} from "./UserOperationRow.ts"

const OWNERS_SHARE = 32
/** What the operations of a page may hold before its last one, so that the page fits into an answer. */
const PAGE_BYTES = 2 * 1_048_576

const STORE = `SELECT verdict, operation FROM store_user_operation($1, $2::uuid, $3, $4,
  json_populate_record(NULL::user_operations, $5::json), $6, $7)`

export interface NewUserOperation extends OperationTerms {
  readonly id: string
  readonly planId: string
  readonly stepIndexes: ReadonlyArray<number>
  readonly chainId: number
  readonly bindingId: Bytes32
  readonly stateHash: Bytes32
  readonly operationHash: Bytes32
  readonly commitment: Bytes32
  readonly expiresAt: number
  readonly maximumCost: string
  /** The block that it was prepared at. */
  readonly sinceBlock: string
  readonly walletCodeHash: Bytes32
  readonly entryPointCodeHash: Bytes32
}

export interface UserOperationQuery {
  readonly planId: string | undefined
  readonly limit: number
  readonly after: { readonly createdAt: number; readonly id: string } | undefined
}

export interface UserOperationPage {
  readonly operations: ReadonlyArray<StoredUserOperation>
  readonly more: boolean
}

const Verdict = Schema.Struct({
  verdict: Schema.Literal(
    "STORED",
    "TWIN",
    "ACCOUNT_NOT_FOUND",
    "FORBIDDEN",
    "IDEMPOTENCY_CONFLICT",
    "PLAN_NOT_FOUND",
    "PLAN_EXPIRED",
    "OPERATIONS_LIMIT",
    "KEYS_LIMIT",
    "OPERATION_EXISTS"
  ),
  operation: Schema.NullOr(Schema.String)
})

const decodeVerdict = decoder(Verdict)

type StoreRefusal =
  | AccountNotFound
  | Forbidden
  | IdempotencyConflict
  | PlanNotFound
  | PlanExpired
  | StorageLimit
  | UserOperationConflict
  | ServiceBusy
  | DatabaseUnavailable

const full = (limit: string) =>
  new StorageLimit({ context: { limit }, retryable: false, retryAfterSeconds: 3600 })

const storedUnder = ({ verdict, operation }: typeof Verdict.Type): Effect.Effect<string, StoreRefusal> => {
  switch (verdict) {
    case "STORED":
    case "TWIN":
      return operation === null
        ? Effect.dieMessage("a stored operation has no id")
        : Effect.succeed(operation)
    case "ACCOUNT_NOT_FOUND":
      return Effect.fail(new AccountNotFound())
    case "FORBIDDEN":
      return Effect.fail(new Forbidden())
    case "IDEMPOTENCY_CONFLICT":
      return Effect.fail(new IdempotencyConflict())
    case "PLAN_NOT_FOUND":
      return Effect.fail(new PlanNotFound())
    case "PLAN_EXPIRED":
      return Effect.fail(new PlanExpired())
    case "OPERATIONS_LIMIT":
      return Effect.fail(full("user operations"))
    case "KEYS_LIMIT":
      return Effect.fail(full("idempotency keys"))
    case "OPERATION_EXISTS":
      return Effect.fail(
        new UserOperationConflict({ detail: "The very operation is prepared already.", retryable: true })
      )
  }
}

const termsOf = (asked: NewUserOperation): OperationTerms => {
  const { entryPoint, adapter, manifestId, gasPolicyId, providerId, operation, signing } = asked
  return { entryPoint, adapter, manifestId, gasPolicyId, providerId, operation, signing }
}

const paymasterOf = (operation: UserOperation): Address | undefined =>
  "paymaster" in operation ? operation.paymaster : undefined

const rowOf = (actor: Actor, asked: NewUserOperation): string =>
  JSON.stringify({
    id: asked.id,
    principal: actor.id,
    plan: asked.planId,
    steps: asked.stepIndexes,
    chain_id: asked.chainId,
    entry_point: asked.entryPoint.toLowerCase(),
    sender: asked.operation.sender.toLowerCase(),
    nonce: String(BigInt(asked.operation.nonce)),
    binding: asked.bindingId,
    state_hash: asked.stateHash,
    terms: termsOf(asked),
    operation_hash: asked.operationHash,
    commitment: asked.commitment,
    expires_at: asked.expiresAt,
    valid_until: asked.signing.validUntil,
    since_block: asked.sinceBlock,
    paymaster: paymasterOf(asked.operation)?.toLowerCase(),
    maximum_cost: asked.maximumCost,
    wallet_code_hash: asked.walletCodeHash,
    entry_point_code_hash: asked.entryPointCodeHash
  })

const visibleTo = (sql: SqlClient.SqlClient, { kind, accountId, id }: Actor) =>
  kind === "owner"
    ? sql`o.account = ${numberOf(sql, accountId)}`
    : sql`o.account = ${numberOf(sql, accountId)} AND o.principal = ${id}`

const pageFrom = (sql: SqlClient.SqlClient) =>
  Effect.fn("UserOperationStore.page")(function* (
    actor: Actor,
    { planId, limit, after }: UserOperationQuery
  ) {
    const ofPlan = planId === undefined ? sql`true` : sql`o.plan = ${planId}::uuid`
    const behind =
      after === undefined ? sql`true` : sql`(o.created_at, o.id) < (${after.createdAt}, ${after.id}::uuid)`
    const rows = yield* sql<{
      candidates: number
    }>`SELECT sized.candidates, ${sql.literal(OPERATION_RECORDS)} JOIN (
      SELECT id, count(*) OVER () AS candidates, sum(bytes) OVER (ORDER BY created_at DESC, id DESC) - bytes AS before
      FROM (SELECT o.id, o.created_at, octet_length(o.terms::text) AS bytes
        FROM user_operations o
        WHERE ${visibleTo(sql, actor)} AND ${ofPlan} AND ${behind}
        ORDER BY o.created_at DESC, o.id DESC LIMIT ${limit + 1}) newest
    ) sized ON sized.id = o.id AND sized.before < ${PAGE_BYTES}
    ORDER BY o.created_at DESC, o.id DESC LIMIT ${limit}`
    const operations = yield* Effect.forEach(rows, userOperationFromRow)
    const page: UserOperationPage = { operations, more: (rows[0]?.candidates ?? 0) > operations.length }
    return page
  }, refusingSql)

const unsentWhere = (sql: SqlClient.SqlClient, where: Statement.Fragment) =>
  sql`SELECT o.id, o.operation_hash, o.nonce::text AS nonce, o.since_block, o.searched_block, o.searched_hash, o.valid_until
    FROM user_operations o WHERE ${where}`.pipe(
    refusingSql,
    Effect.flatMap(rows => Effect.forEach(rows, unsentFromRow))
  )

export class UserOperationStore extends Context.Tag("useroperations/UserOperationStore")<
  UserOperationStore,
  {
    /** The id of the operation that the key leads to: the given one, or its faster twin. */
    readonly store: (
      actor: Actor,
      key: RequestKey,
      asked: NewUserOperation
    ) => Effect.Effect<string, StoreRefusal>
    /** The owner sees every operation of the account, a bot those of its own grant. */
    readonly find: (
      id: string,
      actor: Actor
    ) => Effect.Effect<StoredUserOperation, UserOperationNotFound | DatabaseUnavailable>
    /** The caller's own, of which nobody else may send anything, and what the caller's key leads to. */
    readonly findOwn: (
      id: string,
      key: RequestKey
    ) => Effect.Effect<OwnOperation, UserOperationNotFound | IdempotencyConflict | DatabaseUnavailable>
    /** Those of any of these steps that were never sent, under whichever key of the wallet's nonces. */
    readonly unsent: (
      planId: string,
      stepIndexes: ReadonlyArray<number>,
      except?: string
    ) => Effect.Effect<ReadonlyArray<UnsentOperation>, DatabaseUnavailable>
    /** How far its chain was looked through for it. */
    readonly sought: (id: string) => Effect.Effect<ReadonlyArray<UnsentOperation>, DatabaseUnavailable>
    /** Newest first; ends early where its records are large. */
    readonly page: (
      actor: Actor,
      query: UserOperationQuery
    ) => Effect.Effect<UserOperationPage, DatabaseUnavailable>
  }
>() {
  static readonly layer = Layer.scoped(
    UserOperationStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const actors = yield* AccountActors
      const { recordsPerAccount } = (yield* Settings).userOperations

      const ask = (actor: Actor, { key, identity }: RequestKey, asked: NewUserOperation) =>
        sql
          .unsafe(STORE, [
            actor.accountId,
            actor.kind === "bot" ? actor.grantId : null,
            key,
            identity,
            rowOf(actor, asked),
            actor.kind === "bot" ? recordsPerAccount - OWNERS_SHARE : recordsPerAccount,
            keysFor(actor)
          ])
          .pipe(
            refusingSql,
            Effect.flatMap(([row]) => Effect.orDie(decodeVerdict(row)))
          )

      return {
        store: (actor, key, asked) =>
          Effect.flatMap(actors.run(actor.accountId, ask(actor, key, asked)), storedUnder),
        find: Effect.fn("UserOperationStore.find")(function* (id: string, actor: Actor) {
          const [row] =
            yield* sql`SELECT ${sql.literal(OPERATION_RECORDS)} WHERE o.id = ${id} AND ${visibleTo(sql, actor)}`
          return row === undefined ? yield* new UserOperationNotFound() : yield* userOperationFromRow(row)
        }, refusingSql),
        findOwn: yield* ownUserOperations,
        unsent: (planId, stepIndexes, except) =>
          unsentWhere(
            sql,
            sql`o.plan = ${planId}::uuid AND NOT o.claimed AND o.steps && ${stepIndexes.map(String)}::smallint[]
              AND o.id IS DISTINCT FROM ${except ?? null}::uuid`
          ),
        sought: id => unsentWhere(sql, sql`o.id = ${id}::uuid`),
        page: pageFrom(sql)
      }
    })
  )
}
