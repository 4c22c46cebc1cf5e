/** The SQL of published requests: how far their chain was searched, and which of them can be executed no more. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer } from "effect"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import type { Bytes32 } from "../values/Scalars.ts"

export interface RequestPlace {
  readonly planId: string
  readonly step: number
}

export interface BlockPlace {
  readonly number: bigint
  readonly hash: Bytes32
}

const FIRST_LOOK_MS = 60_000

const placesOf = (places: ReadonlyArray<RequestPlace>): string =>
  JSON.stringify(places.map(({ planId, step }) => ({ plan: planId, step })))

export class SponsoredCallStore extends Context.Tag("sponsorship/SponsoredCallStore")<
  SponsoredCallStore,
  {
    /** That nothing executed them up to this block. */
    readonly searched: (
      places: ReadonlyArray<RequestPlace>,
      block: BlockPlace
    ) => Effect.Effect<void, DatabaseUnavailable>
    /** Of these, how many were not dead before: at this final block no execution of them is possible any more. */
    readonly died: (
      places: ReadonlyArray<RequestPlace>,
      block: BlockPlace
    ) => Effect.Effect<number, DatabaseUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    SponsoredCallStore,
    Effect.map(SqlClient.SqlClient, sql => ({
      searched: (places: ReadonlyArray<RequestPlace>, { number, hash }: BlockPlace) =>
        sql`UPDATE sponsored_calls c SET searched_block = ${String(number)}::bigint, searched_hash = ${hash}
        FROM json_to_recordset(${placesOf(places)}::json) AS f (plan uuid, step smallint)
        WHERE c.plan = f.plan AND c.step = f.step`.pipe(Effect.asVoid, refusingSql),
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
    }))
  )
}
