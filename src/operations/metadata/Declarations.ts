import { Schema } from "effect"
import { Sha256 } from "../../values/Scalars.ts"
import { strict } from "../../values/Strict.ts"
import { declareOperation } from "../framework/Operation.ts"
import { ProjectMetadata } from "../inputs/Projects.ts"
import { readInputs } from "../inputs/ReadInputs.ts"

const Time = Schema.String.annotations({ description: "ISO 8601 in UTC" })

const Review = strict({
  metadata: ProjectMetadata,
  jsonText: Schema.String,
  utf8Bytes: Schema.NonNegativeInt,
  contentSha256: Sha256,
  contentType: Schema.Literal("application/json; charset=utf-8"),
  serialization: Schema.String
}).annotations({
  identifier: "MetadataReview",
  description: "The exact text that would be published, its size in bytes and its SHA-256."
})

const Publication = strict({
  configured: Schema.Boolean,
  uploaded: Schema.Literal(false),
  requiresExplicitUserAuthorization: Schema.Literal(true),
  tokenEstablishesAuthorization: Schema.Literal(false),
  visibility: Schema.Literal("public"),
  removalGuaranteed: Schema.Literal(false),
  linkedContentFetched: Schema.Literal(false),
  linkedContentAvailabilityVerified: Schema.Literal(false),
  nextStep: Schema.String,
  availability: Schema.String
}).annotations({ identifier: "MetadataPublication" })

export const prepareProjectMetadata = declareOperation({
  id: "prepare_project_metadata",
  input: readInputs.prepare_project_metadata,
  output: strict({
    version: Schema.Literal(6),
    token: Schema.String.annotations({
      description:
        "the service's own seal on these bytes, its address and the expiry; it is bound to no account and no plan, no operation takes or checks it, and it is no approval to publish: contentSha256 is what to compare"
    }),
    issuedAt: Time,
    expiresAt: Time,
    review: Review,
    publication: Publication,
    warnings: Schema.Array(Schema.String)
  }).annotations({ identifier: "PreparedMetadata" }),
  problems: ["METADATA_TOO_LARGE"]
})
