/** Shows what project metadata would be published as; nothing is fetched, uploaded or stored. */
import { Effect } from "effect"
import { reviewMetadata } from "../../../metadata/ReviewedMetadata.ts"
import { ReviewTokens } from "../../../metadata/ReviewToken.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { prepareProjectMetadata } from "./Declaration.ts"

const WARNINGS = [
  "This is the whole document: it takes the place of what the project has published before and is not merged with it.",
  "What is published is public for good: copies cannot be called back.",
  "The logo and the links were not looked at: they may be missing, or change."
]

const publication = {
  configured: false,
  uploaded: false,
  requiresExplicitUserAuthorization: true,
  tokenEstablishesAuthorization: false,
  visibility: "public",
  removalGuaranteed: false,
  linkedContentFetched: false,
  linkedContentAvailabilityVerified: false,
  nextStep:
    "Have a person read the text, upload exactly these bytes where the project keeps its metadata, and set the project's URI by a plan of its own.",
  availability: "This service uploads nothing: publish the bytes with a pinning service of your own."
} as const

export const runPrepareProjectMetadata = defineOperation(
  prepareProjectMetadata,
  Effect.fn("Operations.prepareProjectMetadata")(function* ({ metadata: given }) {
    const reviewed = yield* reviewMetadata(given)
    const { token, issuedAt, expiresAt } = yield* (yield* ReviewTokens).issue(reviewed)
    const { metadata, jsonText, utf8Bytes, contentSha256 } = reviewed
    const contentType = "application/json; charset=utf-8" as const
    const serialization = "canonical JSON in UTF-8: keys sorted, no spaces, only the given members"
    const review = { metadata, jsonText, utf8Bytes, contentSha256, contentType, serialization }
    return { version: 6 as const, token, issuedAt, expiresAt, review, publication, warnings: WARNINGS }
  })
)
