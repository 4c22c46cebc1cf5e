/** Stores sponsorships under their idempotency keys, in one round trip for all that wait together. */
import * as SqlClient from "@effect/sql/SqlClient"
import { Effect, Schema } from "effect"
import { AccountActors } from "../accounts/AccountActors.ts"
import type { Actor } from "../accounts/Principal.ts"
import { AccountNotFound, Forbidden, StorageLimit } from "../accounts/refusals.ts"
import type { RequestKey } from "../auth/Idempotency.ts"
import { IdempotencyConflict } from "../auth/refusals.ts"
import { batching } from "../database/Gathering.ts"
import { refusingSql } from "../database/Pool.ts"
import { PlanExpired, PlanNotFound } from "../plans/refusals.ts"
import { keysFor } from "../plans/Storage.ts"
import { Settings } from "../settings/Settings.ts"
import { decoder } from "../values/Conforms.ts"
import type { Bytes32 } from "../values/Scalars.ts"
import type { SponsorshipTerms } from "./CommittedSponsorship.ts"

const OWNERS_SHARE = 32
/** Bounds how long one statement holds the rows of its accounts. */
const BATCH_BOUND = 32

const ONE = `SELECT 1 AS position, verdict, sponsorship FROM store_sponsorship($1, $2::uuid, $3, $4,
  json_populate_record(NULL::sponsorships, $5::json), $6, $7)`

/** Of accounts that nobody holds, in the order in which plans are locked elsewhere. */
const ALL = `WITH free AS MATERIALIZED (
  SELECT a.id FROM accounts a WHERE a.id = ANY ($1::text[]) ORDER BY a.number FOR UPDATE SKIP LOCKED
), asked AS MATERIALIZED (
  SELECT f.id AS account, q.* FROM unnest((SELECT $1::text[]), (SELECT $2::uuid[]), (SELECT $3::text[]), (SELECT $4::text[]),
    (SELECT $5::json[]), (SELECT $6::integer[]), (SELECT $7::integer[]), (SELECT $8::uuid[])) WITH ORDINALITY AS q (of, granted, key, identity, row, sponsorships, keys, plan, position)
  JOIN free f ON f.id = q.of ORDER BY q.plan, q.position
)
SELECT a.position, s.verdict, s.sponsorship FROM asked a CROSS JOIN LATERAL store_sponsorship(a.account, a.granted, a.key, a.identity,
  json_populate_record(NULL::sponsorships, a.row), a.sponsorships, a.keys) s`

export interface NewSponsorship extends SponsorshipTerms {
  readonly id: string
  readonly commitment: Bytes32
  readonly createdAt: number
}

interface Item {
  readonly actor: Actor
  readonly key: RequestKey
  readonly asked: NewSponsorship
}

const Verdicts = Schema.Array(
  Schema.Struct({
    position: Schema.Number,
    verdict: Schema.Literal(
      "STORED",
      "TWIN",
      "ACCOUNT_NOT_FOUND",
      "FORBIDDEN",
      "IDEMPOTENCY_CONFLICT",
      "PLAN_NOT_FOUND",
      "PLAN_EXPIRED",
      "SPONSORSHIPS_LIMIT",
      "KEYS_LIMIT"
    ),
    sponsorship: Schema.NullOr(Schema.String)
  })
)
type Verdict = (typeof Verdicts.Type)[number]

const decodeVerdicts = decoder(Verdicts)

const full = (limit: string) =>
  new StorageLimit({ context: { limit }, retryable: false, retryAfterSeconds: 3600 })

type StoreRefusal =
  | AccountNotFound
  | Forbidden
  | IdempotencyConflict
  | PlanNotFound
  | PlanExpired
  | StorageLimit

const storedUnder = ({ verdict, sponsorship }: Verdict): Effect.Effect<string, StoreRefusal> => {
  switch (verdict) {
    case "STORED":
    case "TWIN":
      return sponsorship === null
        ? Effect.dieMessage("a stored sponsorship has no id")
        : Effect.succeed(sponsorship)
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
    case "SPONSORSHIPS_LIMIT":
      return Effect.fail(full("sponsorships"))
    case "KEYS_LIMIT":
      return Effect.fail(full("idempotency keys"))
  }
}

const rowOf = ({ actor, asked }: Item): string =>
  JSON.stringify({
    id: asked.id,
    principal: actor.id,
    plan: asked.planId,
    authorizations: asked.authorizations,
    commitment: asked.commitment,
    created_at: asked.createdAt,
    expires_at: asked.publicationExpiresAt
  })

const parameters = (item: Item, recordsPerAccount: number) => {
  const { actor, key } = item
  const isBot = actor.kind === "bot"
  return [
    actor.accountId,
    isBot ? actor.grantId : null,
    key.key,
    key.identity,
    rowOf(item),
    isBot ? recordsPerAccount - OWNERS_SHARE : recordsPerAccount,
    keysFor(actor)
  ]
}

/** Gives the id of the sponsorship that the key leads to: the given one, or its faster twin. */
export const sponsorshipStoring = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const actors = yield* AccountActors
  const { recordsPerAccount } = (yield* Settings).sponsorship

  const ask = (statement: string, given: ReadonlyArray<unknown>) =>
    sql.unsafe(statement, given).pipe(
      refusingSql,
      Effect.flatMap(rows => Effect.orDie(decodeVerdicts(rows)))
    )

  /** None for an account that somebody holds. */
  const askAll = (items: ReadonlyArray<Item>) => {
    const rows = items.map(item => [...parameters(item, recordsPerAccount), item.asked.planId])
    const columns = Array.from({ length: 8 }, (_, column) => rows.map(row => row[column]))
    return Effect.map(ask(ALL, columns), verdicts =>
      items.map((_, index) => verdicts.find(({ position }) => position === index + 1) ?? null)
    )
  }

  const gather = yield* batching(askAll, BATCH_BOUND)

  /** Waits in the account's queue, so that a held account keeps one connection from the others and no more. */
  const askOne = (item: Item) =>
    Effect.flatMap(
      actors.run(item.actor.accountId, ask(ONE, parameters(item, recordsPerAccount))),
      ([verdict]) =>
        verdict === undefined ? Effect.dieMessage("a sponsorship got no verdict") : Effect.succeed(verdict)
    )

  return (actor: Actor, key: RequestKey, asked: NewSponsorship) => {
    const item = { actor, key, asked }
    return gather(item).pipe(
      Effect.flatMap(verdict => (verdict === null ? askOne(item) : Effect.succeed(verdict))),
      Effect.flatMap(storedUnder)
    )
  }
})
