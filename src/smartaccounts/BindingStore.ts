/** The SQL of bindings. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer, type Option, Schema } from "effect"
import { AccountActors } from "../accounts/AccountActors.ts"
import { AccountNotFound, type ServiceBusy, StorageLimit } from "../accounts/refusals.ts"
import { batching } from "../database/Gathering.ts"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { checksummed } from "../values/Checksum.ts"
import { decoder, rowDecoder } from "../values/Conforms.ts"
import { type Address, Bytes32, LowerAddress } from "../values/Scalars.ts"
import { BindingExpired, BindingNonceReused, BindingNotFound, BindingRevoked } from "./refusals.ts"
import { InspectedWallet } from "./SmartAccount.ts"

const WALLETS_PER_ACCOUNT = 16
const NONCES_PER_ACCOUNT = 256
const BATCH_BOUND = 32

const RECORDS = `b.*, a.id AS account_id, a.owner_address FROM bindings b JOIN accounts a ON a.number = b.account`
const FIND_ANY = `SELECT ${RECORDS} WHERE a.id = $1 AND b.id = $2`
/** Each by itself, and the lists hidden from the planner, so that how many wait together changes no plan of the database's. */
const FIND_ALL = `SELECT q.position, ${RECORDS} JOIN unnest((SELECT $1::text[]), (SELECT $2::text[])) WITH ORDINALITY AS q (account, id, position)
  ON a.id = q.account AND b.id = q.id
WHERE b.unlinked_at IS NULL`
const FIND_BY_NONCE = `SELECT n.digest AS signed_digest, n.ended, ${RECORDS} JOIN binding_nonces n ON n.binding = b.id
WHERE a.id = $1 AND n.account = a.number AND n.nonce = $2`
const PAGE = `SELECT ${RECORDS} WHERE a.id = $1 AND b.unlinked_at IS NULL AND ($2::bigint IS NULL OR (b.created_at, b.id) < ($2, $3))
ORDER BY b.created_at DESC, b.id DESC LIMIT $4`
const FIRST_NONCE_ENDS = `SELECT min(n.expires_at) - unix_seconds() FROM binding_nonces n JOIN accounts a ON a.number = n.account
  WHERE a.id = $1 AND n.expires_at > unix_seconds()`
const BIND = `SELECT verdict, created_at, revision, CASE verdict WHEN 'NONCES_LIMIT' THEN (${FIRST_NONCE_ENDS}) END AS ends_in
FROM bind_wallet($1, json_populate_record(NULL::bindings, $2::json), ${WALLETS_PER_ACCOUNT}, ${NONCES_PER_ACCOUNT})`

const BindingRow = Schema.Struct({
  id: Bytes32,
  account_id: Schema.String,
  owner_address: LowerAddress,
  chain_id: Schema.Number,
  address: LowerAddress,
  manifest: Schema.String,
  state_hash: Bytes32,
  snapshot: InspectedWallet,
  digest: Bytes32,
  nonce: Bytes32,
  expires_at: Schema.Number,
  created_at: Schema.Number,
  revision: Schema.Number
})

interface Named {
  readonly accountId: string
  readonly id: string
}

export interface NewBinding {
  readonly id: Bytes32
  readonly chainId: number
  readonly address: Address
  readonly manifestId: string
  readonly stateHash: Bytes32
  /** As it was when its owners' signatures were looked at. */
  readonly state: InspectedWallet
  readonly digest: Bytes32
  readonly nonce: Bytes32
  /** Unix time in seconds. */
  readonly expiresAt: number
}

export interface StoredBinding extends NewBinding {
  readonly accountId: string
  readonly ownerAddress: Address
  readonly createdAt: number
  readonly revision: number
}

/** What a nonce of an account's led to. */
export interface UsedNonce {
  readonly digest: Bytes32
  readonly ended: boolean
  readonly binding: StoredBinding
}

interface BindingQuery {
  readonly limit: number
  readonly after: { readonly createdAt: number; readonly id: string } | undefined
}

const decode = rowDecoder(BindingRow)
const decodeUse = rowDecoder(Schema.Struct({ signed_digest: Bytes32, ended: Schema.Boolean }))

const bindingFromRow = (row: unknown): Effect.Effect<StoredBinding> =>
  Effect.map(Effect.orDie(decode(row)), stored => ({
    id: stored.id,
    accountId: stored.account_id,
    ownerAddress: checksummed(stored.owner_address),
    chainId: stored.chain_id,
    address: checksummed(stored.address),
    manifestId: stored.manifest,
    stateHash: stored.state_hash,
    state: stored.snapshot,
    digest: stored.digest,
    nonce: stored.nonce,
    expiresAt: stored.expires_at,
    createdAt: stored.created_at,
    revision: stored.revision
  }))

const useFromRow = Effect.fnUntraced(function* (row: unknown) {
  const { signed_digest: digest, ended } = yield* Effect.orDie(decodeUse(row))
  const use: UsedNonce = { digest, ended, binding: yield* bindingFromRow(row) }
  return use
})

const rowOf = ({ id, chainId, address, manifestId, stateHash, state, ...signed }: NewBinding): string =>
  JSON.stringify({
    id,
    chain_id: chainId,
    address: address.toLowerCase(),
    manifest: manifestId,
    state_hash: stateHash,
    snapshot: state,
    digest: signed.digest,
    nonce: signed.nonce,
    expires_at: signed.expiresAt
  })

const Verdict = Schema.Struct({
  verdict: Schema.Literal(
    "STORED",
    "TWIN",
    "ACCOUNT_NOT_FOUND",
    "NONCE_REUSED",
    "REVOKED",
    "EXPIRED",
    "WALLETS_LIMIT",
    "NONCES_LIMIT"
  ),
  created_at: Schema.NullOr(Schema.Number),
  revision: Schema.NullOr(Schema.Number),
  ends_in: Schema.NullOr(Schema.Number)
})

const decodeVerdict = decoder(Verdict)

type BindRefusal =
  | AccountNotFound
  | BindingNonceReused
  | BindingRevoked
  | BindingExpired
  | StorageLimit
  | ServiceBusy
  | DatabaseUnavailable

/** None where these owners' signatures have bound it already. */
type Bound = Option.Option<{ readonly createdAt: number; readonly revision: number }>

const judged = ({
  verdict,
  created_at,
  revision,
  ends_in
}: typeof Verdict.Type): Effect.Effect<Bound, BindRefusal> => {
  switch (verdict) {
    case "STORED":
      return created_at === null || revision === null
        ? Effect.dieMessage("a stored binding has no time")
        : Effect.succeedSome({ createdAt: created_at, revision })
    case "TWIN":
      return Effect.succeedNone
    case "ACCOUNT_NOT_FOUND":
      return Effect.fail(new AccountNotFound())
    case "NONCE_REUSED":
      return Effect.fail(new BindingNonceReused())
    case "REVOKED":
      return Effect.fail(new BindingRevoked())
    case "EXPIRED":
      return Effect.fail(new BindingExpired())
    case "WALLETS_LIMIT":
      return Effect.fail(
        new StorageLimit({ context: { limit: "wallets" }, retryable: false, retryAfterSeconds: 3600 })
      )
    case "NONCES_LIMIT":
      return Effect.fail(
        new StorageLimit({ context: { limit: "unexpired binding nonces" }, retryAfterSeconds: ends_in ?? 1 })
      )
  }
}

export class BindingStore extends Context.Tag("smartaccounts/BindingStore")<
  BindingStore,
  {
    readonly bind: (accountId: string, asked: NewBinding) => Effect.Effect<Bound, BindRefusal>
    readonly usedNonce: (
      accountId: string,
      nonce: Bytes32
    ) => Effect.Effect<Option.Option<UsedNonce>, DatabaseUnavailable>
    /** One that was not ended. */
    readonly find: (
      accountId: string,
      id: string
    ) => Effect.Effect<StoredBinding, BindingNotFound | DatabaseUnavailable>
    /** Newest first, and one more than asked for where there are more. */
    readonly page: (
      accountId: string,
      query: BindingQuery
    ) => Effect.Effect<ReadonlyArray<StoredBinding>, DatabaseUnavailable>
    /** What was bound; again as the first time. */
    readonly unlink: (
      accountId: string,
      id: string
    ) => Effect.Effect<StoredBinding, BindingNotFound | ServiceBusy | DatabaseUnavailable>
  }
>() {
  static readonly layer = Layer.scoped(
    BindingStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const actors = yield* AccountActors

      const findAll = (asked: ReadonlyArray<Named>) =>
        Effect.map(
          refusingSql(
            sql.unsafe<{ position: number }>(FIND_ALL, [
              asked.map(({ accountId }) => accountId),
              asked.map(({ id }) => id)
            ])
          ),
          rows => {
            const byPosition = new Map(rows.map(row => [row.position, row]))
            return asked.map((_, index) => byPosition.get(index + 1) ?? null)
          }
        )
      const gather = yield* batching(findAll, BATCH_BOUND)
      const one = Effect.fnUntraced(function* (accountId: string, id: string) {
        const row = yield* gather({ accountId, id })
        return row === null ? yield* new BindingNotFound() : yield* bindingFromRow(row)
      })

      const bind = (accountId: string, asked: NewBinding) =>
        sql.unsafe(BIND, [accountId, rowOf(asked)]).pipe(
          refusingSql,
          Effect.flatMap(([row]) => Effect.orDie(decodeVerdict(row)))
        )

      const unlink = Effect.fnUntraced(function* (accountId: string, id: string) {
        const [row] = yield* sql<{ found: boolean }>`SELECT unlink_wallet(${accountId}, ${id}) AS found`
        if (row?.found !== true) return yield* new BindingNotFound()
        const [unlinked] = yield* sql.unsafe(FIND_ANY, [accountId, id])
        return yield* bindingFromRow(unlinked)
      }, refusingSql)

      return {
        bind: (accountId, asked) => Effect.flatMap(actors.run(accountId, bind(accountId, asked)), judged),
        usedNonce: (accountId, nonce) =>
          sql.unsafe(FIND_BY_NONCE, [accountId, nonce]).pipe(
            refusingSql,
            Effect.flatMap(([row]) =>
              row === undefined ? Effect.succeedNone : Effect.asSome(useFromRow(row))
            )
          ),
        find: one,
        page: (accountId, { limit, after }) =>
          sql.unsafe(PAGE, [accountId, after?.createdAt ?? null, after?.id ?? null, limit + 1]).pipe(
            refusingSql,
            Effect.flatMap(rows => Effect.forEach(rows, bindingFromRow))
          ),
        unlink: (accountId, id) => actors.run(accountId, unlink(accountId, id))
      }
    })
  )
}
