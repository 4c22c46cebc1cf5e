/** The descriptors of all operations, their inputs as JSON Schema 2020-12; made once. */
import { Either, type Schema } from "effect"
import { type Declaration, isPlan } from "../operations/framework/Declarations.ts"
import { OperationNotFound } from "../operations/framework/refusals.ts"
import type { OperationDescriptor } from "./api/Operations.ts"
import { JsonSchemas } from "./openapi/JsonSchemas.ts"

const DIALECT = "https://json-schema.org/draft/2020-12/schema"

const inputJsonSchema = (input: Schema.Schema.AnyNoContext) => {
  const schemas = new JsonSchemas("#/$defs/")
  const schema = schemas.of(input.ast)
  const $defs = schemas.named()
  return { $schema: DIALECT, ...schema, ...(Object.keys($defs).length === 0 ? {} : { $defs }) }
}

const descriptorOf = (declaration: Declaration): OperationDescriptor => {
  const { id, kind, sources, description, input } = declaration
  const transaction = isPlan(declaration)
  return {
    id,
    description,
    kind,
    sources,
    transaction,
    effects: { externalMutation: false, idempotent: true },
    inputJsonSchema: inputJsonSchema(input),
    method: transaction ? "POST" : "GET",
    path: `/api/v1/operations/${id}${transaction ? "/plans" : ""}`
  }
}

export interface OperationDescriptors {
  readonly all: () => ReadonlyArray<OperationDescriptor>
  readonly of: (id: string) => Either.Either<OperationDescriptor, OperationNotFound>
}

export const describeOperations = (declared: ReadonlyArray<Declaration>): OperationDescriptors => {
  let made: ReadonlyMap<string, OperationDescriptor> | undefined
  const byId = () => {
    made ??= new Map(declared.map(each => [each.id, descriptorOf(each)]))
    return made
  }
  return {
    all: () => [...byId().values()],
    of: id => Either.fromNullable(byId().get(id), () => new OperationNotFound({ context: { id } }))
  }
}
