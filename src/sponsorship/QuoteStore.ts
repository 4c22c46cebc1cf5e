/** The SQL of what is known of quotes. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer } from "effect"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import type { ProviderHint } from "./ProviderBundle.ts"
import type { QuoteDoubt, QuotedTransaction } from "./Sponsorship.ts"

/** Of a look at a quote. */
export interface QuoteFinding {
  /** Absent where the quote is proved. */
  readonly doubt: QuoteDoubt | undefined
  /** Whether what was proved before holds no more; a silence takes nothing back. */
  readonly contradicts: boolean
  readonly bound:
    | { readonly transactions: ReadonlyArray<QuotedTransaction>; readonly commitment: Bytes32 }
    | undefined
}

interface StepHint extends ProviderHint {
  readonly step: number
}

export const QUOTES_PAGE = 20

/** A hash that was told once is worth looking at, whatever is told later. */
const hinting = (
  hints: string
) => `UPDATE sponsored_calls c SET hint = coalesce(h.hash, c.hint), provider_state = h."providerState"
  FROM json_to_recordset(${hints}::json) AS h (step smallint, hash text, "providerState" text)
  WHERE c.sponsorship = $1::uuid AND c.step = h.step
    AND (c.hint, c.provider_state) IS DISTINCT FROM (coalesce(h.hash, c.hint), h."providerState")`

const HINT = hinting("$2")

/** Nothing is written where nothing changed, and never another binding. The calls' rows come first, as for whoever finds them dead. */
const RECORD = `WITH hinted AS (${hinting("$6")} RETURNING c.step), looked AS (
  SELECT u.sponsorship, coalesce(u.transactions::text, $2) AS transactions, coalesce(u.quote_commitment, $3) AS quote_commitment,
    CASE WHEN $4::text IS NULL THEN coalesce(u.verified_at, unix_millis()) WHEN NOT $5 THEN u.verified_at END AS verified_at,
    CASE WHEN $4::text IS NULL THEN NULL WHEN $5 OR u.verified_at IS NULL THEN $4::text ELSE u.doubt END AS doubt
  FROM publications u WHERE u.sponsorship = $1::uuid AND u.quote IS NOT NULL
    AND (u.transactions IS NULL OR $2::text IS NULL OR u.transactions::text = $2) AND (SELECT count(*) FROM hinted) >= 0
  FOR UPDATE
), changed AS (
  UPDATE publications u SET transactions = l.transactions::json, quote_commitment = l.quote_commitment, verified_at = l.verified_at,
    doubt = l.doubt
  FROM looked l WHERE u.sponsorship = l.sponsorship AND (u.transactions::text, u.verified_at, u.doubt)
    IS DISTINCT FROM (l.transactions, l.verified_at, l.doubt)
  RETURNING u.sponsorship
)
UPDATE sponsorships s SET revision = s.revision + 1 FROM changed c WHERE s.id = c.sponsorship`

/** No request lives for more than two days. */
const WATCHED =
  "u.quote IS NOT NULL AND u.verified_at IS NULL AND u.settled_at > (SELECT unix_millis()) - 172800000"

/** Five seconds after the answer at first, then twice as long each time, up to ten minutes. */
const CLAIM = `UPDATE publications SET sweep_attempts = sweep_attempts + 1,
  sweep_at = unix_millis() + least(600000::bigint, (5000 * power(2, least(sweep_attempts, 10)))::bigint)
WHERE sponsorship = ANY (ARRAY (SELECT u.sponsorship FROM publications u
  WHERE ${WATCHED} AND coalesce(u.sweep_at, u.settled_at) <= (SELECT unix_millis()) - 5000
  ORDER BY coalesce(u.sweep_at, u.settled_at) LIMIT ${QUOTES_PAGE} FOR UPDATE SKIP LOCKED))
RETURNING sponsorship`

export class QuoteStore extends Context.Tag("sponsorship/QuoteStore")<
  QuoteStore,
  {
    /** Takes those that are not proved and are due; no other replica gets them before their back-off is over. */
    readonly claimPage: Effect.Effect<ReadonlyArray<string>, DatabaseUnavailable>
    readonly unverified: Effect.Effect<number, DatabaseUnavailable>
    /** And where the provider says to look. */
    readonly record: (
      sponsorshipId: string,
      finding: QuoteFinding,
      hints: ReadonlyArray<StepHint>
    ) => Effect.Effect<void, DatabaseUnavailable>
    /** Where the provider says to look for what it executed. */
    readonly hint: (
      sponsorshipId: string,
      hints: ReadonlyArray<StepHint>
    ) => Effect.Effect<void, DatabaseUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    QuoteStore,
    Effect.map(SqlClient.SqlClient, sql => ({
      claimPage: sql.unsafe<{ sponsorship: string }>(CLAIM).pipe(
        Effect.map(rows => rows.map(row => row.sponsorship)),
        refusingSql,
        Effect.withSpan("QuoteStore.claimPage")
      ),
      unverified: sql
        .unsafe<{ count: number }>(`SELECT count(*)::integer AS count FROM publications u WHERE ${WATCHED}`)
        .pipe(
          Effect.map(([row]) => row?.count ?? 0),
          refusingSql
        ),
      record: Effect.fn("QuoteStore.record")(function* (
        sponsorshipId: string,
        { doubt, contradicts, bound }: QuoteFinding,
        hints: ReadonlyArray<StepHint>
      ) {
        const transactions = bound === undefined ? null : canonicalJson(bound.transactions)
        const commitment = bound?.commitment ?? null
        yield* sql.unsafe(RECORD, [
          sponsorshipId,
          transactions,
          commitment,
          doubt ?? null,
          contradicts,
          JSON.stringify(hints)
        ])
      }, refusingSql),
      hint: (sponsorshipId: string, hints: ReadonlyArray<StepHint>) =>
        hints.length === 0
          ? Effect.void
          : Effect.asVoid(refusingSql(sql.unsafe(HINT, [sponsorshipId, JSON.stringify(hints)])))
    }))
  )
}
