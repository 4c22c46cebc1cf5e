/** The places of an API as its value has them: what the router, the description and whoever walks all routes go by. */
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup, HttpApiSchema } from "@effect/platform"
import { Context, Option, Schema, type SchemaAST } from "effect"
import { choicesIn } from "../values/Expectation.ts"
import { strict } from "../values/Strict.ts"
import type { Access } from "./api/Access.ts"
import { AccessOf, type Instance, InstanceOf, TakenOf } from "./api/Declare.ts"

/** An endpoint as reflection gives it: none of its types is known. */
export type AnyEndpoint = HttpApiEndpoint.HttpApiEndpoint.AnyWithProps

export interface Place {
  readonly group: string
  readonly name: string
  readonly method: string
  readonly at: string
  readonly status: number
  readonly access: Access
  readonly queryNames: ReadonlyArray<string>
  /** By name, of those that are a choice. */
  readonly queryChoices: Readonly<Record<string, string>>
  readonly takesBody: boolean
  readonly instance: Instance | undefined
  readonly endpoint: AnyEndpoint
}

/** A schema of which only its own endpoint knows the types. */
type Untyped = Schema.Schema<unknown>

export const untyped = ({ ast }: { readonly ast: SchemaAST.AST }): Untyped => Schema.make(ast)

const nothing = strict({})

/** What the route itself decodes of the query. */
export const queryTaken = ({ annotations, urlParamsSchema }: AnyEndpoint): Untyped =>
  untyped(Context.unsafeGet(annotations, TakenOf).query ?? Option.getOrElse(urlParamsSchema, () => nothing))

const membersOf = (schema: Untyped): ReadonlyArray<SchemaAST.PropertySignature> => {
  const encoded = Schema.encodedSchema(schema).ast
  return encoded._tag === "TypeLiteral" ? encoded.propertySignatures : []
}

const queryOf = (schema: Untyped) => {
  const members = membersOf(schema).map(({ name, type }) => ({ name: String(name), ...choicesIn(type) }))
  return {
    queryNames: members.map(({ name }) => name),
    queryChoices: Object.fromEntries(
      members.flatMap(({ name, choices }) => (choices === undefined ? [] : [[name, choices]]))
    )
  }
}

const placeOf = (group: string, endpoint: AnyEndpoint): Place => ({
  group,
  name: endpoint.name,
  method: endpoint.method,
  at: endpoint.path,
  status: HttpApiSchema.getStatusSuccess(endpoint.successSchema),
  access: Context.unsafeGet(endpoint.annotations, AccessOf),
  ...queryOf(queryTaken(endpoint)),
  takesBody: Option.isSome(endpoint.payloadSchema),
  instance: Option.getOrUndefined(Context.getOption(endpoint.annotations, InstanceOf)),
  endpoint
})

/** Nothing is reflected on: what each endpoint may refuse with is much, and no matter here. */
export const placesOf = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>
): ReadonlyArray<Place> => {
  const places: Array<Place> = []
  HttpApi.reflect(api, {
    predicate: ({ group, endpoint }) => {
      places.push(placeOf(group.identifier, endpoint))
      return false
    },
    onGroup: () => {},
    onEndpoint: () => {}
  })
  return places
}
