/** Stores what became of publications, in one round trip for all that wait together. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Option } from "effect"
import { batching } from "../database/Gathering.ts"
import { refusingSql } from "../database/Pool.ts"
import { stage } from "../telemetry/Requests.ts"
import type { ProviderQuote } from "./ProviderQuote.ts"
import { settledFromRow } from "./SponsorshipRow.ts"

const BATCH_BOUND = 32

const ONE = `SELECT revision, now, publication, steps
FROM settled_publication($1::uuid, $2::uuid, $3::uuid, $4::json)`

/** Of rows that nobody holds, so that none waits for another's; bundles are named in one order, so that no two statements wait for each other. */
const ALL = `WITH free AS MATERIALIZED (
  SELECT u.sponsorship FROM publications u JOIN sponsorships s ON s.id = u.sponsorship
  WHERE u.sponsorship = ANY ($1::uuid[]) FOR UPDATE OF u, s SKIP LOCKED
), asked AS MATERIALIZED (
  SELECT q.* FROM unnest((SELECT $1::uuid[]), (SELECT $2::uuid[]), (SELECT $3::uuid[]), (SELECT $4::json[])) WITH ORDINALITY
    AS q (sponsorship, token, bundle, quote, position)
  JOIN free f ON f.sponsorship = q.sponsorship ORDER BY q.bundle, q.position
)
SELECT a.position, t.revision, t.now, t.publication, t.steps
FROM asked a CROSS JOIN LATERAL settled_publication(a.sponsorship, a.token, a.bundle, a.quote) t`

/** The right to publish, which nobody gets a second time. */
export interface PublicationToken {
  readonly sponsorshipId: string
  readonly token: string
}

interface Told {
  readonly token: PublicationToken
  readonly quote: ProviderQuote | null
}

const parametersOf = ({ token: { sponsorshipId, token }, quote }: Told) => [
  sponsorshipId,
  token,
  quote?.bundleId ?? null,
  quote === null ? null : JSON.stringify(quote)
]

/** Once: what is settled stays, and is shown. */
export const publicationSettling = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  /** None for rows that somebody holds. */
  const askAll = (all: ReadonlyArray<Told>) => {
    const rows = all.map(parametersOf)
    const columns = [0, 1, 2, 3].map(column => rows.map(row => row[column]))
    return Effect.map(refusingSql(sql.unsafe<{ position: number }>(ALL, columns)), found => {
      const byPosition = new Map(found.map(row => [row.position, row]))
      return all.map((_, index) => byPosition.get(index + 1) ?? null)
    })
  }

  const gather = yield* batching(askAll, BATCH_BOUND)

  const askOne = (told: Told) =>
    Effect.map(refusingSql(sql.unsafe<object>(ONE, parametersOf(told))), ([row]) => row ?? null)

  return (token: PublicationToken, answer: Option.Option<ProviderQuote>) => {
    const told = { token, quote: Option.getOrNull(answer) }
    return gather(told).pipe(
      Effect.flatMap(row => (row === null ? askOne(told) : Effect.succeed(row))),
      Effect.flatMap(settledFromRow),
      stage("PublicationStore.settle")
    )
  }
})
