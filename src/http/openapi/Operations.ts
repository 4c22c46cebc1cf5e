/** Describes each endpoint of the API as one operation. */
import { type HttpApiEndpoint, type HttpMethod, OpenApi } from "@effect/platform"
import { Context, Option, type Schema, type SchemaAST } from "effect"
import type { Access } from "../api/Access.ts"
import { AccessOf, type JsonQuery, JsonQueryOf, ProblemsOf } from "../api/Declare.ts"
import { credentialsOf } from "./Credentials.ts"
import type { MediaType, OpenApiOperation, Parameter, Response, SchemaObject } from "./Document.ts"
import { type HeaderName, QUOTA_HEADERS, referToHeaders } from "./Headers.ts"
import type { JsonSchemas } from "./JsonSchemas.ts"
import { problemResponses } from "./ProblemResponses.ts"
import type { Samples } from "./Samples.ts"

export interface Tools {
  readonly schemas: JsonSchemas
  readonly samples: Samples
}

type Successes = ReadonlyMap<number, { readonly ast: Option.Option<SchemaAST.AST> }>

export type ReflectedEndpoint = HttpApiEndpoint.HttpApiEndpoint<string, HttpMethod.HttpMethod>

export interface DescribedEndpoint {
  readonly path: string
  readonly method: string
  readonly operation: OpenApiOperation
}

/** A parameter whose text is JSON, which JSON Schema describes as the content of a string. */
const carrying = (tools: Tools, schema: SchemaObject, content: Schema.Schema.All | undefined) => {
  if (content === undefined) return { schema, sample: (name: string) => tools.samples.of(schema, 0, name) }
  const contentSchema = tools.schemas.of(content.ast)
  return {
    schema: { ...schema, contentMediaType: "application/json", contentSchema },
    sample: () => JSON.stringify(tools.samples.of(contentSchema))
  }
}

const parametersOf = (
  place: "path" | "query",
  tools: Tools,
  declared: Option.Option<Schema.Schema.All>,
  json: JsonQuery = {}
): ReadonlyArray<Parameter> =>
  Option.isNone(declared)
    ? []
    : tools.schemas.members(declared.value).map(({ name, schema, required }) => {
        const carried = carrying(tools, schema, json[name])
        return {
          name,
          in: place,
          required: place === "path" || required,
          ...(typeof schema.description === "string" ? { description: schema.description } : {}),
          schema: carried.schema,
          ...(required ? { example: carried.sample(name) } : {})
        }
      })

const json = (tools: Tools, ast: SchemaAST.AST): Readonly<Record<string, MediaType>> => {
  const schema = tools.schemas.of(ast)
  return { "application/json": { schema, example: tools.samples.of(schema) } }
}

/** What takes more than the right to read is stored once and given again, unless it is an answer alone. */
const isKept = (access: Access, status: number): boolean =>
  access.kind === "signed" && access.scope !== "read" && (access.idempotency === "required" || status === 201)

const successHeaders = (access: Access, status: number): ReadonlyArray<HeaderName> => [
  "X-Request-Id",
  ...(access.kind === "signed" ? QUOTA_HEADERS : []),
  ...(status === 201 ? (["Location"] as const) : []),
  ...(isKept(access, status) ? (["Idempotent-Replayed"] as const) : []),
  ...(access.kind === "public" && access.pinned ? (["ETag"] as const) : [])
]

const successResponses = (tools: Tools, access: Access, successes: Successes) => {
  const answers = [...successes].map(([status, { ast }]): readonly [string, Response] => [
    String(status),
    {
      description: status === 201 ? "Created." : "Done.",
      headers: referToHeaders(successHeaders(access, status)),
      ...(Option.isSome(ast) ? { content: json(tools, ast.value) } : {})
    }
  ])
  const unchanged: Response = {
    description: "The bytes that If-None-Match names are still right.",
    headers: referToHeaders(["X-Request-Id", "ETag"])
  }
  return Object.fromEntries(
    access.kind === "public" && access.pinned ? [...answers, ["304", unchanged] as const] : answers
  )
}

export const describeEndpoint = (
  tools: Tools,
  {
    tag,
    endpoint,
    successes
  }: { readonly tag: string; readonly endpoint: ReflectedEndpoint; readonly successes: Successes }
): DescribedEndpoint => {
  const access = Context.unsafeGet(endpoint.annotations, AccessOf)
  const { parameters, ...credentials } = credentialsOf(access)
  const inputs = [
    ...parametersOf("path", tools, endpoint.pathSchema),
    ...parametersOf(
      "query",
      tools,
      endpoint.urlParamsSchema,
      Context.unsafeGet(endpoint.annotations, JsonQueryOf)
    )
  ]
  const body = Option.getOrUndefined(endpoint.payloadSchema)
  const problems = problemResponses({
    access,
    takesBody: body !== undefined,
    hasParameters: inputs.length > 0,
    declared: Context.unsafeGet(endpoint.annotations, ProblemsOf)
  })
  const operation: OpenApiOperation = {
    tags: [tag],
    operationId: endpoint.name,
    summary: Context.unsafeGet(endpoint.annotations, OpenApi.Summary),
    description: Context.unsafeGet(endpoint.annotations, OpenApi.Description),
    ...credentials,
    parameters: [...inputs, ...parameters],
    ...(body === undefined ? {} : { requestBody: { required: true, content: json(tools, body.ast) } }),
    responses: { ...successResponses(tools, access, successes), ...problems }
  }
  return {
    path: endpoint.path.replace(/:(\w+)/g, "{$1}"),
    method: endpoint.method.toLowerCase(),
    operation
  }
}
