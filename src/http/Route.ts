/** Joins each place of an API to what it does, with its decoding and encoding in between, and finds it by its path. */
import type { HttpApi, HttpApiGroup } from "@effect/platform"
import { Context, Data, Effect, Either, Option, Schema } from "effect"
import type { Prepared } from "../auth/Authenticate.ts"
import { decoder, encoderOfAny } from "../values/Conforms.ts"
import type { AnyRefusal } from "../values/Refusal.ts"
import { parseStrictJsonBytes } from "../values/StrictJson.ts"
import type { PublicAccess, SignedAccess } from "./api/Access.ts"
import { TakenOf } from "./api/Declare.ts"
import {
  type AnyHandler,
  type AnyHandlers,
  type ApiHandlers,
  type NeedsOf,
  type Reply,
  reply,
  type Undeclared
} from "./Handlers.ts"
import { inputRefusal, parameterRefusal } from "./Input.ts"
import { type Place, placesOf, queryTaken, untyped } from "./Places.ts"
import { EndpointNotFound, MethodNotAllowed } from "./refusals.ts"

/** A success value that its own schema does not encode: our mistake, never the caller's. */
class UnencodableSuccess extends Data.Error<{ readonly route: string; readonly cause: unknown }> {}

type Strings = Readonly<Record<string, string>>

interface Prepares<R> {
  readonly prepare: (path: Strings, query: Strings) => Either.Either<Prepared<Reply<unknown>, R>, AnyRefusal>
}

export interface PublicRoute<R> extends Omit<Place, "access">, Prepares<R> {
  readonly access: PublicAccess
}

export interface SignedRoute<R> extends Omit<Place, "access">, Prepares<R> {
  readonly access: SignedAccess
}

/** What public and what signed routes need, apart. */
export type Route<P, S> = PublicRoute<P> | SignedRoute<S>

export const isPublic = <P, S>(route: Route<P, S>): route is PublicRoute<P> => route.access.kind === "public"

const NO_JSON = Either.right<unknown>(undefined)

/** The schemas that a route decodes and encodes by. */
const codecOf = ({ endpoint, takesBody }: Place) => {
  const taken = Context.unsafeGet(endpoint.annotations, TakenOf)
  const decodeJson = decoder(
    untyped(taken.body ?? Option.getOrElse(endpoint.payloadSchema, () => Schema.Any))
  )
  return {
    decodeQuery: decoder(queryTaken(endpoint)),
    decodeBody: (bytes: Uint8Array): Either.Either<unknown, AnyRefusal> =>
      Either.flatMap(takesBody ? parseStrictJsonBytes(bytes) : NO_JSON, json =>
        Either.mapLeft(decodeJson(json), inputRefusal)
      ),
    encode: encoderOfAny(untyped(taken.success ?? endpoint.successSchema))
  }
}

/** A path of its own stands for what the path of all of them would say. */
const pathDecoder = ({ instance }: Place, generic: Place) => {
  const decode = decoder(untyped(Option.getOrElse(generic.endpoint.pathSchema, () => Schema.Any)))
  if (instance === undefined) return (given: Strings) => decode(given)
  const fixed = decode(instance.path)
  return () => fixed
}

const prepares = (place: Place, generic: Place, handle: AnyHandler): Prepares<unknown>["prepare"] => {
  const decodePath = pathDecoder(place, generic)
  const { decodeQuery, decodeBody, encode } = codecOf(place)
  const encoded = ({ value, headers }: Reply<unknown>) =>
    Either.match(encode(value), {
      onLeft: cause => Effect.die(new UnencodableSuccess({ route: place.name, cause })),
      onRight: json => Effect.succeed(reply(json, headers))
    })
  const run =
    (path: unknown, query: unknown): Prepared<Reply<unknown>, unknown> =>
    bytes =>
      Either.map(decodeBody(bytes), body =>
        Effect.suspend(() => Effect.flatMap(handle({ path, query, body }), encoded))
      )
  return (path, query) =>
    Either.mapLeft(
      Either.flatMap(decodePath(path), decodedPath =>
        Either.map(decodeQuery(query), decodedQuery => run(decodedPath, decodedQuery))
      ),
      parameterRefusal
    )
}

/** A place without a handler is a mistake that types refuse; whoever evades them meets it at the start. */
class Unhandled extends Data.Error<{ readonly route: string }> {}

const routeOf = (
  place: Place,
  generic: Place | undefined,
  handle: AnyHandler | undefined
): Route<unknown, unknown> => {
  if (generic === undefined || handle === undefined) throw new Unhandled({ route: place.name })
  const prepare = prepares(place, generic, handle)
  const { access } = place
  return access.kind === "public" ? { ...place, access, prepare } : { ...place, access, prepare }
}

const keyOf = (group: string): string => `${group.charAt(0).toLowerCase()}${group.slice(1)}`

/** The routes of an API whose every endpoint has its handler, which the types hold. */
export function makeRoutes<
  Id extends string,
  Groups extends HttpApiGroup.HttpApiGroup.Any,
  E,
  R,
  Given extends ApiHandlers<Groups>
>(
  api: HttpApi.HttpApi<Id, Groups, E, R>,
  given: Given & Undeclared<Given, keyof ApiHandlers<Groups>>
): ReadonlyArray<Route<NeedsOf<Groups, Given, true>, NeedsOf<Groups, Given, false>>>
export function makeRoutes<Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>,
  given: AnyHandlers
): ReadonlyArray<Route<unknown, unknown>> {
  return routesOf(api, (group, name) => given[keyOf(group)]?.[name])
}

/** Where the types are held elsewhere. */
export const routesOf = <Id extends string, Groups extends HttpApiGroup.HttpApiGroup.Any, E, R>(
  api: HttpApi.HttpApi<Id, Groups, E, R>,
  handlerOf: (group: string, name: string) => AnyHandler | undefined
): ReadonlyArray<Route<unknown, unknown>> => {
  const places = placesOf(api)
  const byName = new Map(places.map(place => [place.name, place]))
  return places.map(place => {
    const name = place.instance?.of ?? place.name
    return routeOf(place, byName.get(name), handlerOf(place.group, name))
  })
}

interface Match<P, S> {
  readonly route: Route<P, S>
  readonly path: Readonly<Record<string, string>>
}

/** A route calls its parameters by names of its own. */
interface Placed<P, S> {
  readonly route: Route<P, S>
  /** In the order of its path. */
  readonly names: ReadonlyArray<string>
}

type Methods<P, S> = Map<string, Placed<P, S>>

interface Node<P, S> {
  readonly literals: Map<string, Node<P, S>>
  parameter: Node<P, S> | undefined
  readonly methods: Methods<P, S>
}

const node = <P, S>(): Node<P, S> => ({ literals: new Map(), parameter: undefined, methods: new Map() })

const child = <P, S>(parent: Node<P, S>, segment: string): Node<P, S> => {
  if (segment.startsWith(":")) {
    parent.parameter ??= node()
    return parent.parameter
  }
  const known = parent.literals.get(segment) ?? node<P, S>()
  parent.literals.set(segment, known)
  return known
}

const answersHead = <P, S>(route: Route<P, S>) => route.method === "GET" && route.access.kind === "public"

const place = <P, S>(root: Node<P, S>, route: Route<P, S>) => {
  const segments = route.at.split("/").slice(1)
  const names = segments.filter(segment => segment.startsWith(":")).map(segment => segment.slice(1))
  const leaf = segments.reduce(child, root)
  leaf.methods.set(route.method, { route, names })
  if (answersHead(route)) leaf.methods.set("HEAD", { route, names })
}

interface Leaf<P, S> {
  readonly methods: Methods<P, S>
  /** What stands for the parameters, in their order. */
  readonly given: ReadonlyArray<string>
}

/** The literal way goes before the one of a parameter, which is tried where the literal one leads to no route. */
const descend = <P, S>(
  at: Node<P, S>,
  segments: ReadonlyArray<string>,
  depth = 0,
  given: ReadonlyArray<string> = []
): Leaf<P, S> | undefined => {
  const segment = segments[depth]
  if (segment === undefined) return at.methods.size === 0 ? undefined : { methods: at.methods, given }
  const literal = at.literals.get(segment)
  const found = literal && descend(literal, segments, depth + 1, given)
  if (found !== undefined || at.parameter === undefined || segment === "") return found
  return descend(at.parameter, segments, depth + 1, [...given, segment])
}

/** Finds the route of a path exactly: case, slashes and methods as declared. */
export const makeRouter = <P, S>(routes: ReadonlyArray<Route<P, S>>) => {
  const root = node<P, S>()
  for (const route of routes) place(root, route)
  return (method: string, path: string): Either.Either<Match<P, S>, EndpointNotFound | MethodNotAllowed> => {
    const found = descend(root, path.split("/").slice(1))
    if (found === undefined) return Either.left(new EndpointNotFound())
    const placed = found.methods.get(method)
    if (placed === undefined)
      return Either.left(new MethodNotAllowed({ context: { allow: [...found.methods.keys(), "OPTIONS"] } }))
    const { route, names } = placed
    return Either.right({
      route,
      path: Object.fromEntries(names.map((name, index) => [name, found.given[index] ?? ""]))
    })
  }
}
