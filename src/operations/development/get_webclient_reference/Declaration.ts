import { Schema } from "effect"
import { WebclientReference } from "../../../references/Reference.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { text } from "../../shared/inputs/Parts.ts"
import { ReferencePage } from "../Inputs.ts"
import { bundle, page } from "../Schemas.ts"

const Texts = Schema.Array(Schema.String)

const Line = Schema.Int.pipe(Schema.positive())

export const getWebclientReference = declareOperation({
  id: "get_webclient_reference",
  kind: "reference",
  sources: ["reference"],
  title: "Read a web-client reference",
  description: "A page of one source excerpt of a web client.",
  input: strict({ id: text(160, 1), ...ReferencePage }),
  output: strict({
    ...bundle,
    ...WebclientReference.fields,
    ...page,
    pageStartLine: Line,
    pageEndLine: Line,
    warnings: Texts
  }).annotations({ identifier: "WebclientReferencePage" }),
  problems: ["REFERENCE_NOT_FOUND"]
})
