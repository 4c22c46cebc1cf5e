import { Schema } from "effect"
import { Sha256 } from "../../../values/Scalars.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { optional, text } from "../../shared/inputs/Parts.ts"

const WELL_FORMED = { jsonSchema: {}, message: () => "well-formed Unicode text" }

const wellFormed = (longest: number, shortest = 0) =>
  text(longest, shortest).pipe(Schema.filter(value => !/\p{Surrogate}/u.test(value), WELL_FORMED))

const NotBlank = wellFormed(256, 1).pipe(
  Schema.filter(value => value.trim() !== "", { jsonSchema: {}, message: () => "text that is not blank" })
)

const ProjectMetadata = strict({
  name: NotBlank,
  description: wellFormed(65_536),
  logoUri: optional(wellFormed(2048)),
  infoUri: optional(wellFormed(2048))
}).annotations({ identifier: "ProjectMetadata" })

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
  kind: "prepare",
  sources: ["model"],
  title: "Prepare project metadata",
  description:
    "Builds complete new project metadata for review without uploading: the exact canonical JSON, its size and SHA-256, and an authenticated review token that expires. Existing metadata is not merged and nothing is fetched. The token is the service's seal on what it showed: no operation takes or checks it, and it is no approval to publish; what binds is the SHA-256 of the bytes.",
  input: strict({ version: Schema.Literal(6), metadata: ProjectMetadata }),
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
