import { HttpApiGroup } from "@effect/platform"
import { Either, Schema } from "effect"
import { isPlanId, selectableSources } from "../../operations/framework/Declarations.ts"
import type { AnyDeclared } from "../../operations/framework/Operation.ts"
import { PROBLEMS_BY_SOURCE } from "../../operations/framework/OperationProblems.ts"
import { operationIds, type ReadId } from "../../operations/generated/OperationIds.ts"
import { register } from "../../operations/generated/Register.ts"
import type { ProblemCode } from "../../values/ProblemRegister.ts"
import { strict } from "../../values/Strict.ts"
import { pinned, signed } from "./Access.ts"
import { JSON_PROBLEMS } from "./CommonProblems.ts"
import { declare, withPaths } from "./Declare.ts"
import { planRoutes, prepareOperation } from "./PlanOperations.ts"

/** Judged by the use case, which refuses others with codes of its own. */
const oneOf = (values: ReadonlyArray<string>, description: string) =>
  Schema.String.annotations({ description, jsonSchema: { type: "string", enum: values } })

const SourceClass = Schema.Literal("onchain", "indexer", "model", "service", "reference")

const JsonSchemaDocument = Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
  description: "JSON Schema 2020-12 of the input."
})

export const OperationDescriptor = strict({
  id: Schema.Literal(...operationIds),
  description: Schema.String,
  kind: Schema.Literal("read", "prepare", "reference", "metadata-write"),
  sources: Schema.Array(SourceClass),
  transaction: Schema.Boolean,
  effects: strict({ externalMutation: Schema.Boolean, idempotent: Schema.Boolean }),
  inputJsonSchema: JsonSchemaDocument,
  method: Schema.Literal("GET", "POST"),
  path: Schema.String
}).annotations({ identifier: "OperationDescriptor" })
export type OperationDescriptor = typeof OperationDescriptor.Type

export const operations = declare({
  name: "listOperations",
  method: "GET",
  at: "/api/v1/catalog/operations",
  access: pinned,
  summary: "List the operations",
  description: "Every semantic operation with its kind, its sources and the JSON Schema of its input.",
  success: strict({ operations: Schema.Array(OperationDescriptor) })
})

export const operation = declare({
  name: "getOperation",
  method: "GET",
  at: "/api/v1/catalog/operations/:id",
  access: pinned,
  summary: "One operation",
  description: "Its kind, its sources, the JSON Schema of its input and where it is called.",
  path: strict({ id: oneOf(operationIds, "the id of an operation") }),
  success: OperationDescriptor,
  problems: ["OPERATION_NOT_FOUND"]
})

/** Beyond what every signed request can meet. */
const READING: ReadonlyArray<ProblemCode> = [...JSON_PROBLEMS, "INVALID_INPUT", "SOURCE_NOT_SUPPORTED"]

const Asked = strict({
  input: Schema.optional(
    Schema.String.annotations({ description: "the operation's input as JSON; {} where absent" })
  ),
  source: Schema.optional(
    oneOf(["onchain", "indexer"], "required where both serve the operation, never replaced by another")
  )
})

const declarations: ReadonlyArray<AnyDeclared> = Object.values(register)

const readIds = operationIds.filter(id => !isPlanId(id))

export const readOperation = declare({
  name: "readOperation",
  method: "GET",
  at: "/api/v1/operations/:id",
  access: signed({}),
  summary: "Ask an operation",
  description:
    "Answers any operation that prepares no transaction, as its descriptor says. Parts that could not be read are explicit unknown observations.",
  path: strict({ id: oneOf(readIds, "the id of an operation that prepares no transaction") }),
  query: Asked,
  success: Schema.Unknown,
  problems: [
    "OPERATION_NOT_FOUND",
    "SOURCE_REQUIRED",
    ...READING,
    ...Object.values(PROBLEMS_BY_SOURCE).flat(),
    ...declarations.flatMap(({ problems }) => problems)
  ]
})

const needsInput = ({ input }: AnyDeclared) => Either.isLeft(Schema.decodeUnknownEither(input)({}))

type Text = ReturnType<typeof oneOf>

const shownQuery = (declared: AnyDeclared) => {
  const sources = selectableSources(declared.id)
  const input: Text = Schema.String.annotations({ description: "the input as JSON" })
  const source = oneOf(sources, "where the values come from")
  const members: Readonly<Record<string, Text | Schema.optional<Text>>> = {
    input: needsInput(declared) ? input : Schema.optional(input),
    ...(sources.length > 0 && { source: sources.length > 1 ? source : Schema.optional(source) })
  }
  return strict(members)
}

const nameOf = ({ id }: AnyDeclared): string => `operation_${id}`

const concrete = (declared: AnyDeclared) =>
  declare({
    name: nameOf(declared),
    method: "GET",
    at: `/api/v1/operations/${declared.id}`,
    access: signed({}),
    summary: declared.title,
    description: declared.description,
    query: Asked,
    success: Schema.Unknown,
    jsonQuery: { input: declared.input },
    shown: { query: shownQuery(declared), success: declared.output },
    instance: { of: "readOperation", path: { id: declared.id } },
    problems: [
      ...READING,
      ...selectableSources(declared.id).flatMap(source => PROBLEMS_BY_SOURCE[source]),
      ...(selectableSources(declared.id).length > 1 ? (["SOURCE_REQUIRED"] as const) : []),
      ...declared.problems
    ]
  })

/** The path of its own that each registered operation has. */
export const operationRoutes: ReadonlyArray<{
  readonly id: ReadId
  readonly route: ReturnType<typeof concrete>
}> = declarations.map(declared => ({ id: declared.id, route: concrete(declared) }))

export const OperationsGroup = withPaths(
  HttpApiGroup.make("Operations").add(readOperation).add(prepareOperation),
  [...operationRoutes, ...planRoutes].map(({ route }) => route)
)
