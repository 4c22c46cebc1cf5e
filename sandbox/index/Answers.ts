/** Answers one HTTP request as the source does: every outcome is 200, whatever it says. */
import {
  type DocumentNode,
  execute,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  validate
} from "graphql"
import type { Pool } from "pg"
import { parseLimited } from "./DocumentLimits.ts"
import { progress } from "./Resolvers.ts"
import { rowLoader } from "./Rows.ts"

export interface SourceRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: string
}

export interface SourceAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string
}

export interface Answering {
  readonly pool: Pool
  /** Of PostgreSQL. */
  readonly schema: string
  readonly graphql: GraphQLSchema
  /** As in production: nobody learns what went wrong inside. */
  readonly masked: boolean
  readonly isReady: () => boolean
}

interface Asked {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  readonly operationName: string | undefined
}

interface Outcome {
  readonly data?: unknown
  readonly errors?: ReadonlyArray<GraphQLFormattedError>
}

const badRequest = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: "BAD_REQUEST" } })

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const parsedBody = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw badRequest("POST body sent invalid JSON.")
  }
}

const askedBy = (text: string): Asked => {
  const body = parsedBody(text)
  if (Array.isArray(body)) throw badRequest("Batching is not supported.")
  if (!isObject(body) || typeof body.query !== "string") throw badRequest("Must provide query string.")
  return {
    query: body.query,
    variables: isObject(body.variables) ? body.variables : {},
    operationName: typeof body.operationName === "string" ? body.operationName : undefined
  }
}

const validated = (graphql: GraphQLSchema, document: DocumentNode): ReadonlyArray<GraphQLError> =>
  validate(graphql, document).map(error => {
    error.extensions.code = "GRAPHQL_VALIDATION_FAILED"
    return error
  })

/** Whether nothing but GraphQL itself stands behind it. */
const isOurs = (error: unknown): boolean =>
  error instanceof GraphQLError &&
  (error.originalError === undefined || error.originalError === null || isOurs(error.originalError))

const shown = (error: GraphQLError, masked: boolean): GraphQLFormattedError => {
  if (!masked || isOurs(error)) return error.toJSON()
  const { locations, path } = error.toJSON()
  return {
    message: "Unexpected error.",
    ...(locations === undefined ? {} : { locations }),
    ...(path === undefined ? {} : { path }),
    extensions: { code: "INTERNAL_SERVER_ERROR" }
  }
}

const outcomeOf = async (answering: Answering, body: string): Promise<Outcome> => {
  const { pool, schema, graphql, masked } = answering
  try {
    const asked = askedBy(body)
    const document = parseLimited(asked.query)
    const invalid = validated(graphql, document)
    if (invalid.length > 0) return { errors: invalid.map(error => shown(error, masked)) }
    const { data, errors } = await execute({
      schema: graphql,
      document,
      variableValues: asked.variables,
      operationName: asked.operationName ?? null,
      contextValue: { pool, schema, load: rowLoader(pool, schema) }
    })
    return {
      ...(data === undefined ? {} : { data }),
      ...(errors === undefined ? {} : { errors: errors.map(error => shown(error, masked)) })
    }
  } catch (cause) {
    if (cause instanceof GraphQLError) return { errors: [shown(cause, masked)] }
    throw cause
  }
}

const json = (value: unknown, contentType = "application/json; charset=utf-8"): SourceAnswer => ({
  status: 200,
  contentType,
  body: JSON.stringify(value)
})

const plain = (status: number, body: string): SourceAnswer => ({ status, contentType: "text/plain", body })

const RESPONSE_JSON = "application/graphql-response+json"

const graphqlAnswer = async (answering: Answering, { method, headers, body }: SourceRequest) => {
  const type = String(headers["content-type"] ?? "")
  if (method !== "POST" || !type.startsWith("application/json")) return plain(200, "")
  const accepts = String(headers.accept ?? "")
  const outcome = await outcomeOf(answering, body)
  return json(outcome, accepts.includes(RESPONSE_JSON) ? `${RESPONSE_JSON}; charset=utf-8` : undefined)
}

export const answer = async (answering: Answering, request: SourceRequest): Promise<SourceAnswer> => {
  switch (request.path) {
    case "/":
    case "/graphql":
      return graphqlAnswer(answering, request)
    case "/status":
      return json(await progress(answering.pool, answering.schema))
    case "/health":
      return plain(200, "")
    case "/ready":
      return answering.isReady() ? plain(200, "") : plain(503, "Historical indexing is not complete.")
    default:
      return plain(404, "404 Not Found")
  }
}
