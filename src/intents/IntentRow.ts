/** Stored intents, believed only as far as their hashes and signatures hold. */
import { Effect, Either, Option, Schema } from "effect"
import { checksummed } from "../values/Checksum.ts"
import { decoder } from "../values/Conforms.ts"
import { Bytes32 } from "../values/Scalars.ts"
import { describeIntent } from "./Describe.ts"
import { prepareEnvelope } from "./Envelope.ts"
import { type Intent, IntentDeployment, IntentDraft, type IntentItem } from "./Intent.ts"
import { publisherOf } from "./PublisherSignature.ts"
import { IntentDamaged } from "./refusals.ts"

const Signed = {
  id: Schema.String,
  publisher: Schema.String,
  content_hash: Bytes32,
  signature: Schema.String,
  created_at: Schema.Number
}

const IntentRow = Schema.Struct({
  ...Signed,
  envelope: Schema.String,
  deployments: Schema.Array(IntentDeployment)
})

const ItemRow = Schema.Struct({
  ...Signed,
  format: Schema.String,
  deployment_version: Schema.String,
  chain_ids: Schema.Array(Schema.NumberFromString),
  name: Schema.String,
  description: Schema.NullOr(Schema.String),
  tagline: Schema.NullOr(Schema.String),
  tags: Schema.Array(Schema.String),
  logo_uri: Schema.NullOr(Schema.String),
  owner: Schema.NullOr(Schema.String)
})

const decodeIntent = decoder(IntentRow)
const decodeItem = decoder(ItemRow)
const decodeEnvelope = Schema.decodeOption(Schema.parseJson(IntentDraft))

type SignedRow = Pick<typeof IntentRow.Type, "content_hash" | "signature" | "publisher">

const isSigned = ({ content_hash, signature, publisher }: SignedRow): boolean =>
  publisherOf(content_hash, signature)?.toLowerCase() === publisher

const damaged = (id: string, fault: string) => new IntentDamaged({ context: { intent: id, fault } })

const publicIntent = (row: typeof IntentRow.Type, envelope: IntentDraft): Intent => ({
  id: row.id,
  status: row.deployments.length === 0 ? "undeployed" : "deployed",
  contentHash: row.content_hash,
  envelope,
  publisher: checksummed(row.publisher),
  signature: row.signature,
  ...describeIntent(envelope),
  createdAt: row.created_at,
  deployments: row.deployments,
  deploys: []
})

/** The public record, after its content, its hash and its signature were proved to belong together. */
export const intentFromRow = Effect.fnUntraced(function* (raw: unknown) {
  const row = yield* Effect.orDie(decodeIntent(raw))
  const prepared = Option.map(decodeEnvelope(row.envelope), prepareEnvelope)
  if (Option.isNone(prepared) || Either.isLeft(prepared.value)) return yield* damaged(row.id, "shape")
  const { text, contentHash, envelope } = prepared.value.right
  if (text !== row.envelope || contentHash !== row.content_hash) return yield* damaged(row.id, "content hash")
  if (!isSigned(row)) return yield* damaged(row.id, "signature")
  return publicIntent(row, envelope)
})

/** Its signature is proved here, its content where the whole intent is read. */
export const itemFromRow = Effect.fnUntraced(function* (raw: unknown) {
  const row = yield* Effect.orDie(decodeItem(raw))
  if (!isSigned(row)) return yield* damaged(row.id, "signature")
  const { name, description, tagline, tags, owner } = row
  const item: IntentItem = {
    source: "service",
    status: "undeployed",
    intentId: row.id,
    contentHash: row.content_hash,
    format: row.format,
    deploymentVersion: row.deployment_version,
    chainIds: row.chain_ids,
    publisher: checksummed(row.publisher),
    metadata: {
      name,
      description,
      tagline,
      tags,
      logoUri: row.logo_uri,
      owner: owner === null ? null : checksummed(owner)
    },
    createdAt: row.created_at
  }
  return item
})
