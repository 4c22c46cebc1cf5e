import { Schema } from "effect"
import { ReferenceMetadata } from "../../../references/Reference.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { limit, offset, optional } from "../../shared/inputs/Parts.ts"
import { ReferenceCategory } from "../Inputs.ts"
import { bundle, listed } from "../Schemas.ts"

export const listReferences = declareOperation({
  id: "list_references",
  kind: "reference",
  sources: ["reference"],
  title: "List references",
  description: "The reference documents that the service carries.",
  input: strict({
    category: optional(ReferenceCategory),
    offset: offset(),
    limit: limit()
  }),
  output: strict({ ...bundle, documents: Schema.Array(ReferenceMetadata), ...listed }).annotations({
    identifier: "ReferenceList"
  }),
  problems: []
})
