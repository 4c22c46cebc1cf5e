/** The SQL of intents. */

import { createHash } from "node:crypto"
import * as SqlClient from "@effect/sql/SqlClient"
import { Context, Effect, Layer, Schema } from "effect"
import { LockedAccount } from "../accounts/AccountLock.ts"
import { Forbidden, RateLimited, StorageLimit } from "../accounts/refusals.ts"
import { refusingSql } from "../database/Pool.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { describeIntent, plainText } from "./Describe.ts"
import type { PreparedIntent } from "./Envelope.ts"
import type { Intent, IntentPage } from "./Intent.ts"
import { intentFromRow, itemFromRow } from "./IntentRow.ts"
import { type IntentDamaged, IntentNotFound } from "./refusals.ts"

const PER_PUBLISHER_AND_DAY = 20
const PER_ADDRESS_AND_HOUR = 60
/** Intents are kept for good. */
const PER_ACCOUNT = 100

const ITEM_COLUMNS = `id, publisher, content_hash, signature, created_at, format, deployment_version, chain_ids, name, description,
  tagline, tags, logo_uri, owner`
/** Those whose block is canonical as far as anybody knows, oldest first. */
const DEPLOYED = "FROM intent_deployments d WHERE d.intent = intents.number AND d.displaced_at IS NULL"
const DEPLOYMENTS = `(SELECT coalesce(json_agg(json_build_object('chainId', d.chain_id, 'projectId', d.project_id,
  'transactionHash', d.transaction_hash, 'forwarded', d.forwarded, 'createdAt', d.created_at) ORDER BY d.number), '[]') ${DEPLOYED})`
const PUBLISH = `SELECT p.* FROM publish_intent($1, $2, $3, json_populate_record(NULL::intents, $4), ${PER_PUBLISHER_AND_DAY}, ${PER_ADDRESS_AND_HOUR}, ${PER_ACCOUNT}) p`

export interface Publication extends PreparedIntent {
  readonly id: string
  /** Lower case. */
  readonly publisher: string
  readonly signature: string
  /** The grant that has to be active still, where a bot publishes. */
  readonly grantId: string | undefined
  /** Where the request came from. */
  readonly address: string
}

export interface IntentQuery {
  /** Words in names, taglines, descriptions and tags; blank for all intents. */
  readonly text: string
  readonly owner?: string | undefined
  readonly publisher?: string | undefined
  readonly limit: number
  /** Position in the list, newest first. */
  readonly offset: number
}

export interface PublishedIntent {
  readonly id: string
  /** The publisher had published this content before. */
  readonly replayed: boolean
}

const Verdict = Schema.Struct({
  verdict: Schema.Literal("STORED", "TWIN", "FORBIDDEN", "ACCOUNT_LIMIT", "PUBLISHER_LIMIT", "ORIGIN_LIMIT"),
  intent: Schema.NullOr(Schema.String),
  retry_after: Schema.NullOr(Schema.Number)
})

const decodeVerdict = Schema.decodeUnknown(Verdict)

const hashOf = (address: string): string => createHash("sha256").update(address).digest("base64url")

const rowOf = ({ id, publisher, signature, envelope, text, contentHash }: Publication): string => {
  const { logoUri, owner, ...described } = describeIntent(envelope)
  return JSON.stringify({
    id,
    publisher,
    content_hash: contentHash,
    signature,
    envelope: text,
    format: envelope.format,
    deployment_version: envelope.deploymentVersion,
    chain_ids: envelope.chainIds,
    ...described,
    logo_uri: logoUri,
    owner: owner?.toLowerCase() ?? null
  })
}

const limited = (limit: number, per: string, seconds: number | null) =>
  new RateLimited({ context: { limit, per }, retryAfterSeconds: seconds ?? 1 })

type PublicationRefusal = Forbidden | RateLimited | StorageLimit

const judged = ({
  verdict,
  intent,
  retry_after
}: typeof Verdict.Type): Effect.Effect<PublishedIntent, PublicationRefusal> => {
  switch (verdict) {
    case "STORED":
    case "TWIN":
      return intent === null
        ? Effect.dieMessage("a stored intent has no id")
        : Effect.succeed({ id: intent, replayed: verdict === "TWIN" })
    case "FORBIDDEN":
      return Effect.fail(new Forbidden())
    case "ACCOUNT_LIMIT":
      return Effect.fail(
        new StorageLimit({
          context: { limit: "intents", most: PER_ACCOUNT },
          retryable: false,
          retryAfterSeconds: 3600
        })
      )
    case "PUBLISHER_LIMIT":
      return Effect.fail(limited(PER_PUBLISHER_AND_DAY, "publisher and day", retry_after))
    case "ORIGIN_LIMIT":
      return Effect.fail(limited(PER_ADDRESS_AND_HOUR, "client address and hour", retry_after))
  }
}

export class IntentStore extends Context.Tag("intents/IntentStore")<
  IntentStore,
  {
    /** Once for each publisher and content, within the limits of the account, the publisher and the address. */
    readonly publish: (
      publication: Publication
    ) => Effect.Effect<PublishedIntent, PublicationRefusal | DatabaseUnavailable, LockedAccount>
    readonly find: (id: string) => Effect.Effect<Intent, IntentNotFound | IntentDamaged | DatabaseUnavailable>
    /** Undeployed intents of every deployment version. */
    readonly search: (query: IntentQuery) => Effect.Effect<IntentPage, IntentDamaged | DatabaseUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    IntentStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal(ITEM_COLUMNS)

      const publish = Effect.fn("IntentStore.publish")(function* (publication: Publication) {
        const { number } = yield* LockedAccount
        const { grantId = null, address } = publication
        const [row] = yield* sql.unsafe(PUBLISH, [number, grantId, hashOf(address), rowOf(publication)])
        return yield* judged(yield* Effect.orDie(decodeVerdict(row)))
      }, refusingSql)

      const find = Effect.fn("IntentStore.find")(function* (id: string) {
        const [row] = yield* sql`SELECT id, publisher, content_hash, signature, envelope, created_at,
          ${sql.literal(DEPLOYMENTS)} AS deployments FROM intents WHERE id = ${id}`
        if (row === undefined) return yield* new IntentNotFound()
        return yield* intentFromRow(row)
      }, refusingSql)

      const matching = ({ text, owner, publisher }: IntentQuery) => {
        const words = plainText(text)
        return sql.and([
          sql`NOT EXISTS (SELECT 1 ${sql.literal(DEPLOYED)})`,
          ...(words === "" ? [] : [sql`words @@ websearch_to_tsquery('simple', ${words})`]),
          ...(owner === undefined ? [] : [sql`owner = ${owner.toLowerCase()}`]),
          ...(publisher === undefined ? [] : [sql`publisher = ${publisher.toLowerCase()}`])
        ])
      }

      const search = Effect.fn("IntentStore.search")(function* (query: IntentQuery) {
        const { limit, offset } = query
        const rows = yield* sql<{ total: number; id: string | null }>`SELECT counted.total, page.*
          FROM (SELECT count(*) AS total FROM intents WHERE ${matching(query)}) counted
          LEFT JOIN (SELECT number, ${columns} FROM intents WHERE ${matching(query)}
            ORDER BY number DESC LIMIT ${limit} OFFSET ${offset}) page ON true
          ORDER BY page.number DESC`
        const items = yield* Effect.forEach(
          rows.filter(({ id }) => id !== null),
          itemFromRow
        )
        const totalCount = rows[0]?.total ?? 0
        const end = offset + items.length
        return { items, totalCount, nextCursor: items.length > 0 && end < totalCount ? String(end) : null }
      }, refusingSql)

      return { publish, find, search }
    })
  )
}
