import { Schema } from "effect"
import { ReferenceMetadata } from "../../../references/Reference.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { limit, optional, text } from "../../shared/inputs/Parts.ts"
import { ReferenceCategory } from "../Inputs.ts"
import { bundle } from "../Schemas.ts"

const Texts = Schema.Array(Schema.String)

export const searchReference = declareOperation({
  id: "search_reference",
  kind: "reference",
  sources: ["reference"],
  title: "Search references",
  description: "The reference documents that fit some words best, with an excerpt of each.",
  input: strict({
    query: text(300, 1),
    category: optional(ReferenceCategory),
    limit: limit(20, 5)
  }),
  output: strict({
    ...bundle,
    query: Schema.String,
    totalMatches: Schema.NonNegativeInt,
    results: Schema.Array(
      strict({ metadata: ReferenceMetadata, score: Schema.NonNegative, excerpt: Schema.String })
    ),
    contractReferences: Texts.annotations({
      description: "names that get_contract knows and the query means"
    }),
    warnings: Texts
  }).annotations({ identifier: "ReferenceFindings" }),
  problems: []
})
