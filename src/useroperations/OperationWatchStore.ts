/** The SQL of sent operations: how far their chain was searched, what it showed, and which of them can be executed no more. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer } from "effect"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import {
  type FinalProof,
  LOOKS_AT_PROOFS,
  PROOFS_PAGE,
  type ProofStore,
  UNKNOWN_FOR_MS,
  type UnknownSubmissions
} from "../dispatch/FinalProofs.ts"
import type { BlockPlace, KeptPlace } from "../dispatch/SearchHeads.ts"
import { searchedOn } from "../dispatch/SweepStore.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import { OPERATION_NONCE_CONSUMED } from "./OperationState.ts"

/** An operation that was proved dead. */
export interface DeadOperation extends FinalProof {
  readonly id: string
}

/** What the block that it was executed in shows of an operation. */
export interface SeenOperation {
  readonly id: string
  readonly block: Bytes32
  readonly scopedCount: number
  readonly scopedHash: Bytes32
  readonly actualGasCost: bigint
}

/** An operation that was not sent, whose nonce went by at this final block, and no event said by what. */
export interface Silence extends BlockPlace {
  readonly id: string
  /** For as long as the nonce of one that was sent is looked at before its silence is believed. */
  readonly isLong: boolean
  /** Its chain has been looked through from the start since it was long. */
  readonly anew: boolean
}

const LONG_SILENCE_MS = 900_000
const FIRST_LOOK_MS = 60_000
const LONGEST_BACKOFF_MS = 3_600_000
/** Of one whose block no node shows. */
const SELDOM_MS = 86_400_000

type Ids = ReadonlyArray<string>

const keeping = (sql: SqlClient.SqlClient) => ({
  searched: (ids: Ids, place: KeptPlace) =>
    sql`WITH searched AS (UPDATE user_operations SET searched_block = ${String(place.number)}::bigint, searched_hash = ${place.hash}
    WHERE id IN (SELECT id FROM user_operations WHERE id = ANY (${ids}::uuid[]) FOR UPDATE SKIP LOCKED) RETURNING plan)
    ${searchedOn(sql, place)}`.pipe(Effect.asVoid, refusingSql),
  searchAnew: (ids: Ids) =>
    sql`UPDATE user_operations SET searched_block = NULL, searched_hash = NULL
    WHERE id IN (SELECT id FROM user_operations WHERE id = ANY (${ids}::uuid[]) AND searched_block IS NOT NULL
      FOR UPDATE SKIP LOCKED)`.pipe(Effect.asVoid, refusingSql),
  hinted: (id: string, hash: Bytes32) =>
    sql`UPDATE user_operations SET hint = ${hash} WHERE id = ${id}::uuid AND hint IS DISTINCT FROM ${hash} RETURNING id`.pipe(
      Effect.map(rows => rows.length > 0),
      refusingSql
    ),
  observed: ({ id, block, scopedCount, scopedHash, actualGasCost }: SeenOperation) =>
    sql<{ seen: number }>`
    WITH seen AS (UPDATE user_operations SET observed_block = ${block}, scoped_count = ${scopedCount}::integer,
        scoped_hash = ${scopedHash}, actual_gas_cost = ${String(actualGasCost)}::numeric, revision = revision + 1
      WHERE id = ${id}::uuid AND observed_block IS DISTINCT FROM ${block} RETURNING id)
    SELECT count(*)::integer AS seen FROM seen`.pipe(
      Effect.map(([row]) => row?.seen === 1),
      refusingSql
    ),
  died: (ids: Ids, { number, hash }: BlockPlace) =>
    sql<{ died: number }>`
    WITH dead AS (UPDATE user_operations SET dead_block = ${String(number)}::bigint, dead_hash = ${hash}, revived = false,
        sweep_at = unix_millis() + ${FIRST_LOOK_MS}::bigint, sweep_attempts = 0, revision = revision + 1
      WHERE id = ANY (${ids}::uuid[]) AND claimed AND (dead_hash IS NULL OR revived) RETURNING id)
    SELECT count(*)::integer AS died FROM dead`.pipe(
      Effect.map(([row]) => row?.died ?? 0),
      refusingSql
    )
})

/** Those that were sent and may still be executed, by the nonce of this one. */
const holdersOf = (sql: SqlClient.SqlClient, id: string) =>
  sql`SELECT o.id, o.plan, o.steps FROM user_operations o JOIN user_operations e ON o.chain_id = e.chain_id AND o.sender = e.sender
    AND o.nonce = e.nonce AND o.entry_point = e.entry_point AND o.id <> e.id
  WHERE e.id = ${id}::uuid AND o.claimed AND (o.dead_hash IS NULL OR o.revived)`

const holding = (sql: SqlClient.SqlClient) => ({
  isHeld: (id: string) =>
    holdersOf(sql, id).pipe(
      Effect.map(rows => rows.length > 0),
      refusingSql
    ),
  outdone: (id: string, { number, hash }: BlockPlace) =>
    sql<{ died: number }>`
    WITH held AS (${holdersOf(sql, id)}),
    locked AS (UPDATE plans SET revision = revision + 1 WHERE id IN (SELECT plan FROM held) RETURNING id),
    told AS (UPDATE plan_steps s SET observed = 'unknown', revert = NULL,
        semantic = json_build_object('status', 'unknown', 'reason', ${OPERATION_NONCE_CONSUMED}::text)
      FROM held JOIN locked ON locked.id = held.plan WHERE s.plan = held.plan AND s.step = ANY (held.steps)),
    dead AS (UPDATE user_operations o SET dead_block = ${String(number)}::bigint, dead_hash = ${hash}, revived = false,
        sweep_at = unix_millis() + ${FIRST_LOOK_MS}::bigint, sweep_attempts = 0, revision = revision + 1
      FROM held JOIN locked ON locked.id = held.plan WHERE o.id = held.id RETURNING o.id)
    SELECT count(*)::integer AS died FROM dead`.pipe(
      Effect.map(([row]) => row?.died ?? 0),
      refusingSql
    )
})

interface DeadRow {
  readonly id: string
  readonly chain_id: number
  readonly dead_block: number
  readonly dead_hash: Bytes32
}

const watching = (sql: SqlClient.SqlClient) => ({
  claimDead: sql<DeadRow>`
    UPDATE user_operations SET sweep_attempts = sweep_attempts + 1,
      sweep_at = unix_millis() + CASE WHEN sweep_attempts > ${2 * LOOKS_AT_PROOFS}::integer THEN ${SELDOM_MS}::bigint
        ELSE least(${LONGEST_BACKOFF_MS}::bigint, (${FIRST_LOOK_MS}::bigint * power(2, least(sweep_attempts, 10)))::bigint) END
    WHERE id = ANY (ARRAY (SELECT id FROM user_operations WHERE sweep_at <= (SELECT unix_millis())
      ORDER BY sweep_at, id LIMIT ${PROOFS_PAGE} FOR UPDATE SKIP LOCKED))
    RETURNING id, chain_id, dead_block, dead_hash`.pipe(
    Effect.map(rows =>
      rows.map(({ id, chain_id, dead_block, dead_hash }) => ({
        id,
        chainId: chain_id,
        number: BigInt(dead_block),
        hash: dead_hash
      }))
    ),
    refusingSql
  ),
  held: (dead: ReadonlyArray<DeadOperation>) =>
    sql`UPDATE user_operations SET sweep_at = NULL WHERE id IN (SELECT id FROM user_operations
      WHERE id = ANY (${dead.map(({ id }) => id)}::uuid[]) AND sweep_attempts > ${LOOKS_AT_PROOFS}::integer FOR UPDATE SKIP LOCKED)`.pipe(
      Effect.asVoid,
      refusingSql
    ),
  revived: (dead: ReadonlyArray<DeadOperation>) =>
    sql<{ revived: number }>`
    WITH living AS (UPDATE user_operations SET revived = true, sweep_at = NULL, searched_block = NULL, searched_hash = NULL,
        revision = revision + 1
      WHERE id = ANY (${dead.map(({ id }) => id)}::uuid[]) AND dead_hash IS NOT NULL AND NOT revived RETURNING plan),
    watched AS (UPDATE plans SET revision = revision + 1, sweep_at = unix_millis(), sweep_attempts = 0,
      pending_since = coalesce(pending_since, unix_millis()) WHERE id IN (SELECT plan FROM living))
    SELECT count(*)::integer AS revived FROM living`.pipe(
      Effect.map(([row]) => row?.revived ?? 0),
      refusingSql
    )
})

const listening = (sql: SqlClient.SqlClient) => ({
  silences: (ids: Ids) =>
    sql<{ id: string; number: number; hash: Bytes32; isLong: boolean; anew: boolean }>`
    SELECT operation AS id, block AS number, hash, anew, seen_at <= unix_millis() - ${LONG_SILENCE_MS}::bigint AS "isLong"
    FROM silent_nonces WHERE operation = ANY (${ids}::uuid[])`.pipe(
      Effect.map(rows => rows.map((row): Silence => ({ ...row, number: BigInt(row.number) }))),
      refusingSql
    ),
  fellSilent: (ids: Ids, { number, hash }: BlockPlace) =>
    sql`INSERT INTO silent_nonces (operation, block, hash, seen_at)
    SELECT id, ${String(number)}::bigint, ${hash}, unix_millis() FROM unnest(${ids}::uuid[]) id ORDER BY id
    ON CONFLICT (operation) DO UPDATE SET block = excluded.block, hash = excluded.hash, seen_at = excluded.seen_at, anew = false`.pipe(
      Effect.asVoid,
      refusingSql
    ),
  askedAnew: (ids: Ids) =>
    sql`UPDATE silent_nonces SET anew = true WHERE operation = ANY (${ids}::uuid[]) AND NOT anew`.pipe(
      Effect.asVoid,
      refusingSql
    )
})

const awaiting = (sql: SqlClient.SqlClient) => ({
  revisions: (ids: Ids) =>
    sql<{ id: string; revision: number }>`
    SELECT o.id, o.revision + p.revision AS revision FROM user_operations o JOIN plans p ON p.id = o.plan
    WHERE o.id = ANY (${ids}::uuid[])`.pipe(
      Effect.map(rows => new Map(rows.map(({ id, revision }) => [id, revision]))),
      refusingSql
    ),
  hasten: (planId: string) =>
    sql`UPDATE plans SET sweep_at = least(sweep_at, unix_millis()), sweep_attempts = 0
    WHERE id = ${planId}::uuid AND sweep_at IS NOT NULL`.pipe(Effect.asVoid, refusingSql)
})

/** Each operation by its key: kept apart from the planner, which would rather read the whole table. */
const unknownSends = (sql: SqlClient.SqlClient) =>
  sql<UnknownSubmissions>`
  SELECT count(*)::integer AS count, coalesce((unix_millis() - min(d.reserved_at)) / 1000, 0)::bigint AS "oldestSeconds"
  FROM operation_sends d CROSS JOIN LATERAL (SELECT * FROM user_operations WHERE id = d.operation OFFSET 0) o
  WHERE d.outcome IS DISTINCT FROM 'accepted' AND d.reserved_at > (SELECT unix_millis()) - ${UNKNOWN_FOR_MS}::bigint
    AND d.expires_at <= unix_millis() AND (o.dead_hash IS NULL OR o.revived)
    AND NOT EXISTS (SELECT 1 FROM plan_steps s
      WHERE s.plan = o.plan AND s.step = ANY (o.steps)
        AND (s.receipt ->> 'canonical' = 'true' OR s.semantic ->> 'reason' = ${OPERATION_NONCE_CONSUMED}))`.pipe(
    Effect.map(([row]) => row ?? { count: 0, oldestSeconds: 0 }),
    refusingSql
  )

export class OperationWatchStore extends Context.Tag("useroperations/OperationWatchStore")<
  OperationWatchStore,
  ProofStore<DeadOperation> & {
    /** That nothing executed them up to this block. */
    readonly searched: (ids: Ids, place: KeptPlace) => Effect.Effect<void, DatabaseUnavailable>
    /** The next look begins where they may be at the earliest. */
    readonly searchAnew: (ids: Ids) => Effect.Effect<void, DatabaseUnavailable>
    /** Whether another transaction was named before, or none. */
    readonly hinted: (id: string, hash: Bytes32) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Whether it was not seen in this block before. */
    readonly observed: (seen: SeenOperation) => Effect.Effect<boolean, DatabaseUnavailable>
    /** Of these, how many were not dead before: at this final block no execution of them is possible any more. */
    readonly died: (ids: Ids, block: BlockPlace) => Effect.Effect<number, DatabaseUnavailable>
    /** Whether another one that was sent has its nonce, and may still be executed. */
    readonly isHeld: (id: string) => Effect.Effect<boolean, DatabaseUnavailable>
    /** How many others had its nonce, by which it was executed up to this final block: they never will be. */
    readonly outdone: (id: string, block: BlockPlace) => Effect.Effect<number, DatabaseUnavailable>
    readonly silences: (ids: Ids) => Effect.Effect<ReadonlyArray<Silence>, DatabaseUnavailable>
    /** From now on, as this final block shows. */
    readonly fellSilent: (ids: Ids, block: BlockPlace) => Effect.Effect<void, DatabaseUnavailable>
    /** Those that are silent for long are looked for from the start before that is believed. */
    readonly askedAnew: (ids: Ids) => Effect.Effect<void, DatabaseUnavailable>
    /** As their records show it. */
    readonly revisions: (ids: Ids) => Effect.Effect<ReadonlyMap<string, number>, DatabaseUnavailable>
    /** The plan is due at once, and again as if it were young. */
    readonly hasten: (planId: string) => Effect.Effect<void, DatabaseUnavailable>
    readonly unknown: Effect.Effect<UnknownSubmissions, DatabaseUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    OperationWatchStore,
    Effect.map(SqlClient.SqlClient, sql => ({
      ...keeping(sql),
      ...holding(sql),
      ...watching(sql),
      ...listening(sql),
      ...awaiting(sql),
      unknown: unknownSends(sql)
    }))
  )
}
