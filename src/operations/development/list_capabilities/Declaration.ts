import { Schema } from "effect"
import { emptyObject, strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"

const version = Schema.Literal(6)

const Family = strict({
  id: Schema.String,
  title: Schema.String,
  tools: Schema.Array(strict({ name: Schema.String, description: Schema.String })),
  references: Schema.Array(Schema.String),
  limits: Schema.Array(Schema.String)
}).annotations({ identifier: "OperationFamily" })

const ServiceOperation = strict({
  method: Schema.Literal("GET", "POST"),
  path: Schema.String,
  description: Schema.String
})

export type ServiceOperation = typeof ServiceOperation.Type

export const listCapabilities = declareOperation({
  id: "list_capabilities",
  kind: "reference",
  sources: ["reference"],
  title: "List capabilities",
  description: "The families of operations with their limits; no live state.",
  input: emptyObject,
  output: strict({
    name: Schema.String,
    version: Schema.String,
    protocolVersion: version,
    publicOrigin: Schema.String,
    amountEncoding: Schema.String,
    execution: Schema.String,
    families: Schema.Array(Family),
    serviceOperations: Schema.Array(ServiceOperation)
  }).annotations({ identifier: "CapabilityFamilies" }),
  problems: []
})
