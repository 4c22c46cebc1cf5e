/** Declares one endpoint once: its schemas, its rights and its words, for the router, OpenAPI and the clients alike. */
import { HttpApiEndpoint, HttpApiSchema, OpenApi } from "@effect/platform"
import { Context, type Either, Option, type ParseResult, Schema, SchemaAST } from "effect"
import { decoder, encoder } from "../../values/Conforms.ts"
import { choicesIn } from "../../values/Expectation.ts"
import type { ProblemCode } from "../../values/ProblemRegister.ts"
import { strict } from "../../values/Strict.ts"
import type { Access } from "./Access.ts"

export const AccessOf = Context.GenericTag<Access>("http/api/Access")
/** Query parameters that carry JSON, by name. */
export const JsonQueryOf = Context.GenericTag<JsonQuery>("http/api/JsonQuery")
export const ProblemsOf = Context.GenericTag<ReadonlyArray<ProblemCode>>("http/api/Problems")

export type JsonQuery = Readonly<Record<string, Schema.Schema.AnyNoContext>>

type Method = "GET" | "POST" | "PATCH" | "DELETE"

interface Parts<A> {
  readonly name: string
  readonly method: Method
  /** The whole path, with `:name` for path parameters. */
  readonly at: `/${string}`
  readonly access: A
  readonly summary: string
  readonly description: string
  readonly status?: number
  readonly problems?: ReadonlyArray<ProblemCode>
  readonly jsonQuery?: JsonQuery
  /** What the description says where the handler itself decodes and encodes. */
  readonly shown?: {
    readonly query?: Schema.Schema.AnyNoContext
    readonly body?: Schema.Schema.AnyNoContext
    readonly success?: Schema.Schema.AnyNoContext
  }
}

interface Schemas {
  readonly path?: Schema.Schema.AnyNoContext
  readonly query?: Schema.Schema.AnyNoContext
  readonly body?: Schema.Schema.AnyNoContext
  readonly success: Schema.Schema.AnyNoContext
}

interface TypedSchemas<Path, PathI, Query, QueryI, Body, BodyI, Success, SuccessI> {
  readonly path?: Schema.Schema<Path, PathI>
  readonly query?: Schema.Schema<Query, QueryI>
  readonly body?: Schema.Schema<Body, BodyI>
  readonly success: Schema.Schema<Success, SuccessI>
}

type Decode<A> = (raw: unknown) => Either.Either<A, ParseResult.ParseError>

export interface Declaration<Path, Query, Body, Success, A> {
  readonly endpoint: HttpApiEndpoint.HttpApiEndpoint.Any
  readonly name: string
  readonly method: Method
  readonly at: `/${string}`
  readonly access: A
  readonly status: number
  readonly queryNames: ReadonlyArray<string>
  /** By name, of those that are a choice. */
  readonly queryChoices: Readonly<Record<string, string>>
  readonly takesBody: boolean
  readonly decodePath: Decode<Path>
  readonly decodeQuery: Decode<Query>
  readonly decodeBody: Decode<Body>
  readonly encodeSuccess: (value: Success) => Either.Either<unknown, ParseResult.ParseError>
}

const nothing = strict({})

const membersOf = (schema: Schema.Schema.AnyNoContext): ReadonlyArray<SchemaAST.PropertySignature> => {
  const encoded = Schema.encodedSchema(schema).ast
  return encoded._tag === "TypeLiteral" ? encoded.propertySignatures : []
}

const queryOf = (schema: Schema.Schema.AnyNoContext) => {
  const members = membersOf(schema).map(({ name, type }) => ({ name: String(name), ...choicesIn(type) }))
  return {
    queryNames: members.map(({ name }) => name),
    queryChoices: Object.fromEntries(
      members.flatMap(({ name, choices }) => (choices === undefined ? [] : [[name, choices]]))
    )
  }
}

const toEndpoint = (parts: Parts<Access> & Schemas): HttpApiEndpoint.HttpApiEndpoint.Any => {
  const { success: answer, query = nothing, body } = { ...parts, ...parts.shown }
  const identifier = Option.getOrUndefined(SchemaAST.getIdentifierAnnotation(answer.ast))
  const success = answer.annotations(
    HttpApiSchema.annotations({
      status: parts.status ?? 200,
      ...(identifier === undefined ? {} : { identifier })
    })
  )
  const bare = HttpApiEndpoint.make(parts.method)(parts.name, parts.at)
    .addSuccess(success)
    .annotate(OpenApi.Summary, parts.summary)
    .annotate(OpenApi.Description, parts.description)
    .annotate(AccessOf, parts.access)
    .annotate(ProblemsOf, parts.problems ?? [])
    .annotate(JsonQueryOf, parts.jsonQuery ?? {})
    .setUrlParams(query)
  const placed = parts.path === undefined ? bare : bare.setPath(parts.path)
  return body === undefined ? placed : placed.setPayload(body)
}

export const declare = <A extends Access, Path, PathI, Query, QueryI, Body, BodyI, Success, SuccessI>(
  parts: Parts<A> & TypedSchemas<Path, PathI, Query, QueryI, Body, BodyI, Success, SuccessI>
): Declaration<Path, Query, Body, Success, A> => ({
  endpoint: toEndpoint(parts),
  name: parts.name,
  method: parts.method,
  at: parts.at,
  access: parts.access,
  status: parts.status ?? 200,
  ...queryOf(parts.query ?? nothing),
  takesBody: parts.body !== undefined,
  decodePath: decoder(parts.path ?? Schema.Any),
  decodeQuery: decoder(parts.query ?? Schema.Any),
  decodeBody: decoder(parts.body ?? Schema.Any),
  encodeSuccess: encoder(parts.success)
})
