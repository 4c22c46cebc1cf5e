/** The SQL of published requests: how far their chain was searched, and which of them can be executed no more. */
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
import { FORWARD_NONCE_CONSUMED } from "./SponsorshipState.ts"

export interface RequestPlace {
  readonly planId: string
  readonly step: number
}

/** A request that was proved dead, and the final block of the proof. */
export interface DeadRequest extends RequestPlace, FinalProof {}

const FIRST_LOOK_MS = 60_000
const LONGEST_BACKOFF_MS = 3_600_000
/** Of one whose block no node shows. */
const SELDOM_MS = 86_400_000

const placesOf = (places: ReadonlyArray<RequestPlace>): string =>
  JSON.stringify(places.map(({ planId, step }) => ({ plan: planId, step })))

/** A row that somebody holds is left out: no two of these wait for each other, and what is not kept is looked for again. */
const keeping = (sql: SqlClient.SqlClient) => ({
  searched: (places: ReadonlyArray<RequestPlace>, place: KeptPlace) =>
    sql`WITH searched AS (UPDATE sponsored_calls SET searched_block = ${String(place.number)}::bigint, searched_hash = ${place.hash}
    WHERE (plan, step) IN (SELECT c.plan, c.step FROM sponsored_calls c
      JOIN json_to_recordset(${placesOf(places)}::json) AS f (plan uuid, step smallint) ON c.plan = f.plan AND c.step = f.step
      FOR UPDATE OF c SKIP LOCKED) RETURNING plan)
    ${searchedOn(sql, place)}`.pipe(Effect.asVoid, refusingSql),
  searchAnew: (places: ReadonlyArray<RequestPlace>) =>
    sql`UPDATE sponsored_calls SET searched_block = NULL, searched_hash = NULL
    WHERE (plan, step) IN (SELECT c.plan, c.step FROM sponsored_calls c
      JOIN json_to_recordset(${placesOf(places)}::json) AS f (plan uuid, step smallint) ON c.plan = f.plan AND c.step = f.step
      FOR UPDATE OF c SKIP LOCKED)`.pipe(Effect.asVoid, refusingSql),
  died: (places: ReadonlyArray<RequestPlace>, { number, hash }: BlockPlace) =>
    sql<{ died: number }>`
    WITH dead AS (UPDATE sponsored_calls c SET dead_block = ${String(number)}::bigint, dead_hash = ${hash}, revived = false,
        sweep_at = unix_millis() + ${FIRST_LOOK_MS}::bigint, sweep_attempts = 0
      FROM json_to_recordset(${placesOf(places)}::json) AS f (plan uuid, step smallint)
      WHERE c.plan = f.plan AND c.step = f.step AND (c.dead_hash IS NULL OR c.revived) RETURNING c.sponsorship),
    told AS (UPDATE sponsorships SET revision = revision + 1 WHERE id IN (SELECT sponsorship FROM dead))
    SELECT count(*)::integer AS died FROM dead`.pipe(
      Effect.map(([row]) => row?.died ?? 0),
      refusingSql
    )
})

interface DeadRow {
  readonly plan: string
  readonly step: number
  readonly chain_id: number
  readonly dead_block: number
  readonly dead_hash: Bytes32
}

const watching = (sql: SqlClient.SqlClient) => ({
  claimDead: sql<DeadRow>`
    UPDATE sponsored_calls SET sweep_attempts = sweep_attempts + 1,
      sweep_at = unix_millis() + CASE WHEN sweep_attempts > ${2 * LOOKS_AT_PROOFS}::integer THEN ${SELDOM_MS}::bigint
        ELSE least(${LONGEST_BACKOFF_MS}::bigint, (${FIRST_LOOK_MS}::bigint * power(2, least(sweep_attempts, 10)))::bigint) END
    WHERE ctid = ANY (ARRAY (SELECT ctid FROM sponsored_calls WHERE sweep_at <= (SELECT unix_millis())
      ORDER BY sweep_at, plan, step LIMIT ${PROOFS_PAGE} FOR UPDATE SKIP LOCKED))
    RETURNING plan, step, chain_id, dead_block, dead_hash`.pipe(
    Effect.map(rows =>
      rows.map(({ plan, step, chain_id, dead_block, dead_hash }) => ({
        planId: plan,
        step,
        chainId: chain_id,
        number: BigInt(dead_block),
        hash: dead_hash
      }))
    ),
    refusingSql
  ),
  held: (dead: ReadonlyArray<DeadRequest>) =>
    sql`UPDATE sponsored_calls SET sweep_at = NULL WHERE (plan, step) IN (SELECT c.plan, c.step FROM sponsored_calls c
      JOIN json_to_recordset(${placesOf(dead)}::json) AS f (plan uuid, step smallint) ON c.plan = f.plan AND c.step = f.step
      WHERE c.sweep_attempts > ${LOOKS_AT_PROOFS}::integer FOR UPDATE OF c SKIP LOCKED)`.pipe(
      Effect.asVoid,
      refusingSql
    ),
  revived: (dead: ReadonlyArray<DeadRequest>) =>
    sql<{ revived: number }>`
    WITH living AS (UPDATE sponsored_calls c SET revived = true, sweep_at = NULL, searched_block = NULL, searched_hash = NULL
      FROM json_to_recordset(${placesOf(dead)}::json) AS f (plan uuid, step smallint)
      WHERE c.plan = f.plan AND c.step = f.step AND c.dead_hash IS NOT NULL AND NOT c.revived RETURNING c.plan, c.sponsorship),
    told AS (UPDATE sponsorships SET revision = revision + 1 WHERE id IN (SELECT sponsorship FROM living)),
    watched AS (UPDATE plans SET revision = revision + 1, sweep_at = unix_millis(), sweep_attempts = 0,
      pending_since = coalesce(pending_since, unix_millis()) WHERE id IN (SELECT plan FROM living))
    SELECT count(*)::integer AS revived FROM living`.pipe(
      Effect.map(([row]) => row?.revived ?? 0),
      refusingSql
    )
})

const unknownPublications = (sql: SqlClient.SqlClient) =>
  sql<UnknownSubmissions>`
  SELECT count(*)::integer AS count, coalesce((unix_millis() - min(u.reserved_at)) / 1000, 0)::bigint AS "oldestSeconds"
  FROM publications u WHERE u.outcome IS DISTINCT FROM 'answered' AND u.reserved_at > (SELECT unix_millis()) - ${UNKNOWN_FOR_MS}::bigint
    AND u.expires_at <= unix_millis()
    AND EXISTS (SELECT 1 FROM sponsored_calls c JOIN plan_steps s ON s.plan = c.plan AND s.step = c.step
      WHERE c.sponsorship = u.sponsorship AND (c.dead_hash IS NULL OR c.revived)
        AND s.receipt ->> 'canonical' IS DISTINCT FROM 'true' AND s.semantic ->> 'reason' IS DISTINCT FROM ${FORWARD_NONCE_CONSUMED})`.pipe(
    Effect.map(([row]) => row ?? { count: 0, oldestSeconds: 0 }),
    refusingSql
  )

export class SponsoredCallStore extends Context.Tag("sponsorship/SponsoredCallStore")<
  SponsoredCallStore,
  ProofStore<DeadRequest> & {
    /** That nothing executed them up to this block. */
    readonly searched: (
      places: ReadonlyArray<RequestPlace>,
      place: KeptPlace
    ) => Effect.Effect<void, DatabaseUnavailable>
    /** The next look begins where they may be at the earliest. */
    readonly searchAnew: (places: ReadonlyArray<RequestPlace>) => Effect.Effect<void, DatabaseUnavailable>
    /** Of these, how many were not dead before: at this final block no execution of them is possible any more. */
    readonly died: (
      places: ReadonlyArray<RequestPlace>,
      block: BlockPlace
    ) => Effect.Effect<number, DatabaseUnavailable>
    readonly unknown: Effect.Effect<UnknownSubmissions, DatabaseUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    SponsoredCallStore,
    Effect.map(SqlClient.SqlClient, sql => ({
      ...keeping(sql),
      ...watching(sql),
      unknown: unknownPublications(sql)
    }))
  )
}
