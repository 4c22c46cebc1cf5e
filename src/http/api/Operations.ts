import { HttpApiGroup } from "@effect/platform"
import { Either, Schema } from "effect"
import { type Declaration, isPlan, selectableSources } from "../../operations/framework/Declarations.ts"
import type { AnyDeclared } from "../../operations/framework/Operation.ts"
import { PROBLEMS_BY_SOURCE } from "../../operations/framework/OperationProblems.ts"
import type { ProblemCode } from "../../values/ProblemRegister.ts"
import { strict } from "../../values/Strict.ts"
import { pinned, signed } from "./Access.ts"
import { JSON_PROBLEMS } from "./CommonProblems.ts"
import { declare, withPaths } from "./Declare.ts"
import { planPath, prepareOperation } from "./PlanOperations.ts"

/** Judged by the use case, which refuses others with codes of its own. */
const oneOf = (values: ReadonlyArray<string>, description: string) =>
  Schema.String.annotations({ description, jsonSchema: { type: "string", enum: values } })

const SourceClass = Schema.Literal("onchain", "indexer", "model", "service", "reference")

const JsonSchemaDocument = Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
  description: "JSON Schema 2020-12 of the input."
})

const descriptorOf = (ids: ReadonlyArray<string>) =>
  strict({
    id: Schema.Literal(...ids),
    description: Schema.String,
    kind: Schema.Literal("read", "prepare", "reference", "metadata-write"),
    sources: Schema.Array(SourceClass),
    transaction: Schema.Boolean,
    effects: strict({ externalMutation: Schema.Boolean, idempotent: Schema.Boolean }),
    inputJsonSchema: JsonSchemaDocument,
    method: Schema.Literal("GET", "POST"),
    path: Schema.String
  }).annotations({ identifier: "OperationDescriptor" })

type DescriptorSchema = ReturnType<typeof descriptorOf>
export type OperationDescriptor = DescriptorSchema["Type"]

const listed = (descriptor: DescriptorSchema) =>
  declare({
    name: "listOperations",
    method: "GET",
    at: "/api/v1/catalog/operations",
    access: pinned,
    summary: "List the operations",
    description: "Every semantic operation with its kind, its sources and the JSON Schema of its input.",
    success: strict({ operations: Schema.Array(descriptor) })
  })

const shown = (ids: ReadonlyArray<string>, descriptor: DescriptorSchema) =>
  declare({
    name: "getOperation",
    method: "GET",
    at: "/api/v1/catalog/operations/:id",
    access: pinned,
    summary: "One operation",
    description: "Its kind, its sources, the JSON Schema of its input and where it is called.",
    path: strict({ id: oneOf(ids, "the id of an operation") }),
    success: descriptor,
    problems: ["OPERATION_NOT_FOUND"]
  })

const idsOf = (declared: ReadonlyArray<Declaration>) => declared.map(({ id }) => id)

/** What tells of the operations. */
export const operationCatalog = (declared: ReadonlyArray<Declaration>) => {
  const ids = idsOf(declared)
  const descriptor = descriptorOf(ids)
  return { operations: listed(descriptor), operation: shown(ids, descriptor) }
}

/** Beyond what every signed request can meet. */
const READING: ReadonlyArray<ProblemCode> = [...JSON_PROBLEMS, "INVALID_INPUT", "SOURCE_NOT_SUPPORTED"]

const Asked = strict({
  input: Schema.optional(
    Schema.String.annotations({
      description:
        "the operation's input as JSON; {} where absent. Percent-encoded it has to fit into the target, of at most limits.targetBytes of the capabilities, however long its members may be"
    })
  ),
  source: Schema.optional(
    oneOf(["onchain", "indexer"], "required where both serve the operation, never replaced by another")
  )
})

export const readOperation = (reads: ReadonlyArray<AnyDeclared>) =>
  declare({
    name: "readOperation",
    method: "GET",
    at: "/api/v1/operations/:id",
    access: signed({}),
    summary: "Ask an operation",
    description:
      "Answers any operation that prepares no transaction, as its descriptor says. Parts that could not be read are explicit unknown observations.",
    path: strict({ id: oneOf(idsOf(reads), "the id of an operation that prepares no transaction") }),
    query: Asked,
    success: Schema.Unknown,
    problems: [
      "OPERATION_NOT_FOUND",
      "SOURCE_REQUIRED",
      ...READING,
      ...Object.values(PROBLEMS_BY_SOURCE).flat(),
      ...reads.flatMap(({ problems }) => problems)
    ]
  })

const needsInput = ({ input }: AnyDeclared) => Either.isLeft(Schema.decodeUnknownEither(input)({}))

type Text = ReturnType<typeof oneOf>

const shownQuery = (declared: AnyDeclared) => {
  const sources = selectableSources(declared)
  const input: Text = Schema.String.annotations({ description: "the input as JSON" })
  const source = oneOf(sources, "where the values come from")
  const members: Readonly<Record<string, Text | Schema.optional<Text>>> = {
    input: needsInput(declared) ? input : Schema.optional(input),
    ...(sources.length > 0 && { source: sources.length > 1 ? source : Schema.optional(source) })
  }
  return strict(members)
}

const nameOf = ({ id }: AnyDeclared): string => `operation_${id}`

/** The path of its own that each operation has. */
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
      ...selectableSources(declared).flatMap(source => PROBLEMS_BY_SOURCE[source]),
      ...(selectableSources(declared).length > 1 ? (["SOURCE_REQUIRED"] as const) : []),
      ...declared.problems
    ]
  })

const isRead = (declaration: Declaration): declaration is AnyDeclared => !isPlan(declaration)

export const operationsGroup = (declared: ReadonlyArray<Declaration>) => {
  const reads = declared.filter(isRead)
  const plans = declared.filter(isPlan)
  return withPaths(HttpApiGroup.make("Operations").add(readOperation(reads)).add(prepareOperation(plans)), [
    ...reads.map(concrete),
    ...plans.map(planPath)
  ])
}
