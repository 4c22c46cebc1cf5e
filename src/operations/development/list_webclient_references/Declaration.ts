import { Schema } from "effect"
import { WebclientReference } from "../../../references/Reference.ts"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { limit, offset } from "../../shared/inputs/Parts.ts"
import { bundle, listed } from "../Schemas.ts"

export const listWebclientReferences = declareOperation({
  id: "list_webclient_references",
  kind: "reference",
  sources: ["reference"],
  title: "List web-client references",
  description: "The source excerpts of a web client that the service carries.",
  input: strict({ offset: offset(), limit: limit() }),
  output: strict({ ...bundle, references: Schema.Array(WebclientReference), ...listed }).annotations({
    identifier: "WebclientReferenceList"
  }),
  problems: []
})
