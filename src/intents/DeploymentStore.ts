/** The SQL of intents' deployments. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Schema } from "effect"
import { LockedAccount } from "../accounts/AccountLock.ts"
import { Forbidden, StorageLimit } from "../accounts/refusals.ts"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { Bytes32, ChainId, IntentId } from "../values/Scalars.ts"
import type { ProvenDeployment } from "./ProveDeployment.ts"

/** The same launch can be made again by anybody, at the price of a project each time. */
const PER_INTENT_AND_CHAIN = 16
const LOOK_SECONDS = 30
const DISPLACED_SECONDS = 86_400
const PAGE = 32

const RECORD = `SELECT record_deployment($1, $2, $3, json_populate_record(NULL::intent_deployments, $4),
  ${PER_INTENT_AND_CHAIN}, ${LOOK_SECONDS}) AS verdict`

export interface Recording {
  readonly intentId: string
  /** The grant that has to be active still, where a bot records. */
  readonly grantId: string | undefined
  readonly proven: ProvenDeployment
}

const Watched = Schema.Struct({
  number: Schema.Number,
  intentId: IntentId,
  chainId: ChainId,
  transactionHash: Bytes32,
  blockNumber: Schema.Number,
  blockHash: Bytes32
})
/** A recorded deployment whose block is not final. */
export type WatchedDeployment = typeof Watched.Type

const Verdict = Schema.Literal("STORED", "TWIN", "FORBIDDEN", "LIMIT")

const decodeVerdict = Schema.decodeUnknown(Schema.Struct({ verdict: Verdict }))
const decodeWatched = Schema.decodeUnknown(Schema.Array(Watched))

const columnsOf = (proven: ProvenDeployment) => ({
  chain_id: proven.chainId,
  transaction_hash: proven.transactionHash,
  project_id: proven.projectId,
  forwarded: proven.forwarded,
  block_number: String(proven.blockNumber),
  block_hash: proven.blockHash
})

const judged = (verdict: typeof Verdict.Type): Effect.Effect<boolean, Forbidden | StorageLimit> => {
  switch (verdict) {
    case "STORED":
    case "TWIN":
      return Effect.succeed(verdict === "TWIN")
    case "FORBIDDEN":
      return Effect.fail(new Forbidden())
    case "LIMIT":
      return Effect.fail(
        new StorageLimit({
          context: { limit: "deployments of an intent on a chain", most: PER_INTENT_AND_CHAIN },
          retryable: false,
          retryAfterSeconds: 3600
        })
      )
  }
}

type Stored = Effect.Effect<void, DatabaseUnavailable>

export class DeploymentStore extends Context.Tag("intents/DeploymentStore")<
  DeploymentStore,
  {
    /** Whether it was recorded before. */
    readonly record: (
      recording: Recording
    ) => Effect.Effect<boolean, Forbidden | StorageLimit | DatabaseUnavailable, LockedAccount>
    /** Takes those that are due; no other replica gets them meanwhile. */
    readonly claimDue: Effect.Effect<ReadonlyArray<WatchedDeployment>, DatabaseUnavailable>
    /** Its block is canonical. Nothing is stored of one that changed meanwhile, here and below. */
    readonly keep: (seen: WatchedDeployment, isFinal: boolean) => Stored
    /** Another block than its own is canonical: it is not shown until it is proved anew. */
    readonly displace: (seen: WatchedDeployment) => Stored
    readonly move: (seen: WatchedDeployment, proven: ProvenDeployment) => Stored
  }
>() {
  static readonly layer = Layer.effect(
    DeploymentStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const as = ({ number, blockHash }: WatchedDeployment) =>
        sql`number = ${number} AND block_hash = ${blockHash}`
      return {
        record: Effect.fn("DeploymentStore.record")(function* ({ intentId, grantId, proven }: Recording) {
          const { number } = yield* LockedAccount
          const row = JSON.stringify(columnsOf(proven))
          const [answer] = yield* sql.unsafe(RECORD, [number, grantId ?? null, intentId, row])
          const { verdict } = yield* Effect.orDie(decodeVerdict(answer))
          return yield* judged(verdict)
        }, refusingSql),
        claimDue: sql`UPDATE intent_deployments d SET look_at = unix_seconds() + ${LOOK_SECONDS}::integer
          FROM intents i WHERE i.number = d.intent AND d.number = ANY (ARRAY (
            SELECT number FROM intent_deployments WHERE look_at <= (SELECT unix_seconds())
            ORDER BY look_at LIMIT ${PAGE} FOR UPDATE SKIP LOCKED))
          RETURNING d.number, i.id AS "intentId", d.chain_id AS "chainId", d.transaction_hash AS "transactionHash",
            d.block_number AS "blockNumber", d.block_hash AS "blockHash"`.pipe(
          Effect.flatMap(rows => Effect.orDie(decodeWatched(rows))),
          refusingSql
        ),
        keep: (seen, isFinal) =>
          sql`UPDATE intent_deployments SET displaced_at = NULL,
            look_at = CASE WHEN ${isFinal} THEN NULL ELSE look_at END WHERE ${as(seen)}`.pipe(
            Effect.asVoid,
            refusingSql
          ),
        displace: seen =>
          sql`UPDATE intent_deployments SET displaced_at = coalesce(displaced_at, unix_seconds()),
            look_at = CASE WHEN displaced_at < unix_seconds() - ${DISPLACED_SECONDS}::integer THEN NULL ELSE look_at END
            WHERE ${as(seen)}`.pipe(Effect.asVoid, refusingSql),
        move: (seen, proven) =>
          sql`UPDATE intent_deployments SET ${sql.update(columnsOf(proven))}, displaced_at = NULL
            WHERE ${as(seen)}`.pipe(Effect.asVoid, refusingSql)
      }
    })
  )
}
