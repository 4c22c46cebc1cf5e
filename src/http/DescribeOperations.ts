/** The descriptors of all operations, their inputs as JSON Schema 2020-12; made once. */
import { Either, type Schema } from "effect"
import { declarations, isOperationId, isPlanId } from "../operations/framework/Declarations.ts"
import { OperationNotFound } from "../operations/framework/refusals.ts"
import { operationIds } from "../operations/generated/OperationIds.ts"
import type { OperationDescriptor } from "./api/Operations.ts"
import { JsonSchemas } from "./openapi/JsonSchemas.ts"

type Id = OperationDescriptor["id"]

const DIALECT = "https://json-schema.org/draft/2020-12/schema"

const inputJsonSchema = (input: Schema.Schema.AnyNoContext) => {
  const schemas = new JsonSchemas("#/$defs/")
  const schema = schemas.of(input.ast)
  const $defs = schemas.named()
  return { $schema: DIALECT, ...schema, ...(Object.keys($defs).length === 0 ? {} : { $defs }) }
}

const descriptorOf = (id: Id): OperationDescriptor => {
  const { kind, sources, description, input } = declarations[id]
  const transaction = isPlanId(id)
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

let made: ReadonlyMap<Id, OperationDescriptor> | undefined

const all = () => {
  made ??= new Map(operationIds.map(id => [id, descriptorOf(id)]))
  return made
}

export const operationDescriptors = (): ReadonlyArray<OperationDescriptor> => [...all().values()]

export const operationOf = (id: string): Either.Either<OperationDescriptor, OperationNotFound> => {
  const found = isOperationId(id) ? all().get(id) : undefined
  return found === undefined ? Either.left(new OperationNotFound({ context: { id } })) : Either.right(found)
}
