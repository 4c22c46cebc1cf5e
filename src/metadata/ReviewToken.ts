/** The service's own seal on metadata that it showed for review, with its audience and an expiry: bound to no account, taken by no route, no right to publish. */
import { createHmac, timingSafeEqual } from "node:crypto"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { DatabaseClock } from "../database/DatabaseClock.ts"
import type { DatabaseUnavailable } from "../database/refusals.ts"
import { reviewKeys, Settings } from "../settings/Settings.ts"
import { canonicalJson } from "../values/CanonicalJson.ts"
import { strict } from "../values/Strict.ts"
import { type ReviewedMetadata, reviewMetadata } from "./ReviewedMetadata.ts"
import { InvalidReviewToken } from "./refusals.ts"

const PREFIX = "svcmetadata1"
const PURPOSE = "project-metadata-review"
const KEY_LABEL = "service project metadata review token, version 1"
const TOKEN_BYTES = 102_400

const Envelope = strict({
  schemaVersion: Schema.Literal(1),
  purpose: Schema.Literal(PURPOSE),
  audience: Schema.String,
  version: Schema.Literal(6),
  issuedAt: Schema.String,
  expiresAt: Schema.String,
  contentSha256: Schema.String,
  utf8Bytes: Schema.Number,
  metadata: strict({
    name: Schema.String,
    description: Schema.String,
    logoUri: Schema.optionalWith(Schema.String, { exact: true }),
    infoUri: Schema.optionalWith(Schema.String, { exact: true })
  })
})
type Envelope = typeof Envelope.Type

const decodeEnvelope = Schema.decodeUnknownOption(Schema.parseJson(Envelope))

export interface IssuedToken {
  readonly token: string
  /** ISO 8601, as are all times in the token. */
  readonly issuedAt: string
  readonly expiresAt: string
}

const isoOf = (millis: number): string => new Date(millis).toISOString()

const isSame = (given: Buffer, proper: Buffer): boolean =>
  given.length === proper.length && timingSafeEqual(given, proper)

const refused = (expected: string) => new InvalidReviewToken({ context: { path: "token", expected } })

const madeHere = refused("a review token of this service")

/** What the envelope says, where it still says what a review of its metadata says. */
const reviewedIn = (envelope: Envelope): Option.Option<ReviewedMetadata> =>
  Option.filter(
    Option.getRight(reviewMetadata(envelope.metadata)),
    ({ contentSha256, utf8Bytes }) =>
      contentSha256 === envelope.contentSha256 && utf8Bytes === envelope.utf8Bytes
  )

const taggedBy = (secret: string) => {
  const key = createHmac("sha256", secret).update(KEY_LABEL).digest()
  return (payload: string): string =>
    createHmac("sha256", key).update(`${PREFIX}.${payload}`).digest("base64url")
}

export class ReviewTokens extends Context.Tag("metadata/ReviewTokens")<
  ReviewTokens,
  {
    readonly issue: (reviewed: ReviewedMetadata) => Effect.Effect<IssuedToken>
    /** The bytes that were reviewed, where the token is this service's own and in time. */
    readonly verify: (
      token: string
    ) => Effect.Effect<ReviewedMetadata, InvalidReviewToken | DatabaseUnavailable>
  }
>() {
  static readonly layer = Layer.effect(
    ReviewTokens,
    Effect.gen(function* () {
      const settings = yield* Settings
      const { reviewTtlSeconds, audience } = settings
      const clock = yield* DatabaseClock
      const [secret, ...secretsBefore] = reviewKeys(settings)
      const tagOf = taggedBy(secret)
      const tags = [tagOf, ...secretsBefore.map(taggedBy)]
      const isTagged = (payload: string, tag: string): boolean =>
        tags.some(properOf => isSame(Buffer.from(tag), Buffer.from(properOf(payload))))

      const issue = Effect.fnUntraced(function* (reviewed: ReviewedMetadata) {
        const now = yield* clock.estimate
        const times = { issuedAt: isoOf(now), expiresAt: isoOf(now + reviewTtlSeconds * 1000) }
        const { metadata, contentSha256, utf8Bytes } = reviewed
        const envelope: Envelope = {
          schemaVersion: 1,
          purpose: PURPOSE,
          audience,
          version: 6,
          ...times,
          contentSha256,
          utf8Bytes,
          metadata
        }
        const payload = Buffer.from(canonicalJson(envelope)).toString("base64url")
        return { token: `${PREFIX}.${payload}.${tagOf(payload)}`, ...times }
      })

      const verify = Effect.fnUntraced(function* (token: string) {
        const [prefix, payload = "", tag = "", ...rest] = token.length > TOKEN_BYTES ? [] : token.split(".")
        if (prefix !== PREFIX || rest.length > 0 || !isTagged(payload, tag)) return yield* madeHere
        const envelope = Option.filter(
          decodeEnvelope(Buffer.from(payload, "base64url").toString()),
          known => known.audience === audience
        )
        if (Option.isNone(envelope)) return yield* madeHere
        if (!(Date.parse(envelope.value.expiresAt) > (yield* clock.millis)))
          return yield* refused("a review token that has not expired")
        return yield* Effect.mapError(reviewedIn(envelope.value), () => madeHere)
      })

      return { issue, verify }
    })
  )
}
