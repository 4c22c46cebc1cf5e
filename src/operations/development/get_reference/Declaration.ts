import { Schema } from "effect"
import { ReferenceMetadata } from "../../../references/Reference.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { text } from "../../shared/inputs/Parts.ts"
import { ReferencePage } from "../Inputs.ts"
import { bundle, page } from "../Schemas.ts"

const Texts = Schema.Array(Schema.String)

export const getReference = declareOperation({
  id: "get_reference",
  kind: "reference",
  sources: ["reference"],
  title: "Read a reference",
  description: "A page of one reference document.",
  input: strict({ id: text(160, 1), ...ReferencePage }),
  output: strict({ ...bundle, ...ReferenceMetadata.fields, ...page, warnings: Texts }).annotations({
    identifier: "ReferencePage"
  }),
  problems: ["REFERENCE_NOT_FOUND"]
})
