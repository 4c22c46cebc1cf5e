/** Answers one HTTP request as the source does: every outcome is 200, whatever it says. */
import {
  type DocumentNode,
  execute,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  Kind,
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
  readonly operationName: unknown
}

interface Outcome {
  readonly data?: unknown
  readonly errors?: ReadonlyArray<GraphQLFormattedError>
}

const MASKED = "Unexpected error."
const INTERNAL = "INTERNAL_SERVER_ERROR"

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

const PARAMETERS = ["query", "variables", "operationName", "extensions"]

const typeOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : typeof value

const askedBy = (text: string): Asked => {
  const body = parsedBody(text)
  if (Array.isArray(body)) throw badRequest("Batching is not supported.")
  if (!isObject(body)) throw badRequest(`POST body is expected to be object but received ${typeOf(body)}`)
  const unknown = Object.keys(body).find(name => !PARAMETERS.includes(name))
  if (unknown !== undefined) throw badRequest(`Unexpected parameter "${unknown}" in the request body.`)
  const { query, variables, operationName } = body
  if (query === undefined || query === null) throw badRequest("Must provide query string.")
  if (typeof query !== "string")
    throw badRequest(`Expected "query" param to be a string, but given ${typeOf(query)}.`)
  const given = variables ?? {}
  if (!isObject(given))
    throw badRequest(`Expected "variables" param to be empty or an object, but given ${typeOf(given)}.`)
  return { query, variables: given, operationName }
}

/** Masked like what fails inside, where errors are. */
const parsed = (query: string, masked: boolean): DocumentNode => {
  try {
    return parseLimited(query)
  } catch (cause) {
    const message = cause instanceof Error && !masked ? cause.message : MASKED
    throw new GraphQLError(message, masked ? { extensions: { code: INTERNAL } } : {})
  }
}

const operationIn = (document: DocumentNode, name: unknown): void => {
  const operations = document.definitions.filter(node => node.kind === Kind.OPERATION_DEFINITION)
  const fitting = operations.filter(
    operation => name === undefined || name === null || operation.name?.value === name
  )
  if (fitting.length !== 1)
    throw new GraphQLError("Could not determine what operation to execute.", {
      extensions: { code: "OPERATION_RESOLUTION_FAILURE" }
    })
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
    message: MASKED,
    ...(locations === undefined ? {} : { locations }),
    ...(path === undefined ? {} : { path }),
    extensions: { code: INTERNAL }
  }
}

const outcomeOf = async (answering: Answering, body: string): Promise<Outcome> => {
  const { pool, schema, graphql, masked } = answering
  try {
    const asked = askedBy(body)
    const document = parsed(asked.query, masked)
    const invalid = validated(graphql, document)
    if (invalid.length > 0) return { errors: invalid.map(error => error.toJSON()) }
    operationIn(document, asked.operationName)
    const { data, errors } = await execute({
      schema: graphql,
      document,
      variableValues: asked.variables,
      operationName: typeof asked.operationName === "string" ? asked.operationName : null,
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

/** Of the types that it can answer with and be asked in, JSON alone is here. */
const graphqlAnswer = async (answering: Answering, { method, headers, body }: SourceRequest) => {
  const type = String(headers["content-type"] ?? "")
  const accepts = String(headers.accept ?? "*/*")
  const isJson = type.startsWith("application/json") && /json|\*/.test(accepts)
  if (method !== "POST" || !isJson) return plain(200, "")
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
