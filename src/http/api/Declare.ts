/** Declares one endpoint once: its schemas, its rights, its refusals and its words, for the router, the handlers, OpenAPI and the clients alike. */
import { HttpApiEndpoint, type HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Context, Option, Schema, SchemaAST } from "effect"
import type { Principal } from "../../accounts/Principal.ts"
import type { SignedRequest } from "../../auth/SignedRequest.ts"
import type { ProblemCode } from "../../values/ProblemRegister.ts"
import { isRefusal, type Refused } from "../../values/Refusal.ts"
import { strict } from "../../values/Strict.ts"
import type { Access, PublicAccess } from "./Access.ts"
import type { CodesOfAccess } from "./CommonProblems.ts"

export const AccessOf = Context.GenericTag<Access>("http/api/Access")
/** Query parameters that carry JSON, by name. */
export const JsonQueryOf = Context.GenericTag<JsonQuery>("http/api/JsonQuery")
export const ProblemsOf = Context.GenericTag<ReadonlyArray<ProblemCode>>("http/api/Problems")
/** By what a route decodes and encodes where its use case judges more than that. */
export const TakenOf = Context.GenericTag<Taken>("http/api/Taken")
/** Of which endpoint it is a path of its own, and what of that one's path it stands for. */
export const InstanceOf = Context.GenericTag<Instance>("http/api/Instance")

export type JsonQuery = Readonly<Record<string, Schema.Schema.AnyNoContext>>

export interface Taken {
  readonly query?: Schema.Schema.AnyNoContext
  readonly body?: Schema.Schema.AnyNoContext
  readonly success?: Schema.Schema.AnyNoContext
}

export interface Instance {
  readonly of: string
  readonly path: Readonly<Record<string, string>>
}

type Method = "GET" | "POST" | "PATCH" | "DELETE"

interface Parts<Name, A, Code> {
  readonly name: Name
  readonly method: Method
  /** The whole path, with `:name` for path parameters. */
  readonly at: `/${string}`
  readonly access: A
  readonly summary: string
  readonly description: string
  readonly status?: number
  readonly problems?: ReadonlyArray<Code>
  readonly jsonQuery?: JsonQuery
  /** What the description says where the handler itself decodes and encodes. */
  readonly shown?: Taken
  readonly instance?: Instance
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

/** What an endpoint's work may ask of who called. */
type CallerOf<A> = A extends PublicAccess ? never : Principal | SignedRequest

/** By type: what its handler is given and answers, and with which codes it may refuse. */
export type Endpoint<
  Name extends string,
  A extends Access,
  Path,
  Query,
  Body,
  Success,
  Code extends ProblemCode
> = HttpApiEndpoint.HttpApiEndpoint<
  Name,
  Method,
  Path,
  Query,
  Body,
  never,
  Success,
  Refused<Code | CodesOfAccess<A>>,
  CallerOf<A>
>

const nothing = strict({})

const withStatus = (answer: Schema.Schema.AnyNoContext, status: number): Schema.Schema.AnyNoContext => {
  const identifier = Option.getOrUndefined(SchemaAST.getIdentifierAnnotation(answer.ast))
  return answer.annotations(
    HttpApiSchema.annotations({ status, ...(identifier === undefined ? {} : { identifier }) })
  )
}

const Refusals = Schema.declare(isRefusal)

export function declare<
  const Name extends string,
  A extends Access,
  PathI,
  QueryI,
  BodyI,
  Success,
  SuccessI,
  Path = unknown,
  Query = unknown,
  Body = unknown,
  Code extends ProblemCode = never
>(
  parts: Parts<Name, A, Code> & TypedSchemas<Path, PathI, Query, QueryI, Body, BodyI, Success, SuccessI>
): Endpoint<Name, A, Path, Query, Body, Success, Code>
export function declare(
  parts: Parts<string, Access, ProblemCode> & Schemas
): HttpApiEndpoint.HttpApiEndpoint.Any {
  const { shown = {}, status = 200, path, query = nothing, body, success } = parts
  const { query: queryShown = query, body: bodyShown = body, success: successShown = success } = shown
  const taken: Taken = {
    ...(shown.query === undefined ? {} : { query }),
    ...(shown.body === undefined || body === undefined ? {} : { body }),
    ...(shown.success === undefined ? {} : { success })
  }
  const bare = HttpApiEndpoint.make(parts.method)(parts.name, parts.at)
    .addSuccess(withStatus(successShown, status))
    .addError(Refusals)
    .annotate(OpenApi.Summary, parts.summary)
    .annotate(OpenApi.Description, parts.description)
    .annotate(AccessOf, parts.access)
    .annotate(ProblemsOf, parts.problems ?? [])
    .annotate(JsonQueryOf, parts.jsonQuery ?? {})
    .annotate(TakenOf, taken)
    .setUrlParams(queryShown)
  const placed = path === undefined ? bare : bare.setPath(path)
  const one = parts.instance === undefined ? placed : placed.annotate(InstanceOf, parts.instance)
  return bodyShown === undefined ? one : one.setPayload(bodyShown)
}

/** A group with the paths of their own that some of its endpoints have. */
export const withPaths = <
  Id extends string,
  Each extends HttpApiEndpoint.HttpApiEndpoint.Any,
  One extends HttpApiEndpoint.HttpApiEndpoint.Any,
  E,
  R,
  Top extends boolean
>(
  group: HttpApiGroup.HttpApiGroup<Id, Each, E, R, Top>,
  paths: ReadonlyArray<One>
): HttpApiGroup.HttpApiGroup<Id, Each | One, E, R, Top> =>
  paths.reduce<HttpApiGroup.HttpApiGroup<Id, Each | One, E, R, Top>>((all, one) => all.add(one), group)
