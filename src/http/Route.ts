/** Joins each place of an API to what it does, with its decoding and encoding in between. */
import type { HttpApi, HttpApiGroup } from "@effect/platform"
import { Context, Data, Effect, Either, Option, Schema } from "effect"
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

/** A success value that its own schema does not encode: our mistake, never the caller's. */
class UnencodableSuccess extends Data.Error<{ readonly route: string; readonly cause: unknown }> {}

/** Its parameters are decoded; its body waits for its bytes, and its work for a body that is good. */
export type Prepared<R> = (body: Uint8Array) => Either.Either<Work<R>, AnyRefusal>
export type Work<R> = Effect.Effect<Reply<unknown>, AnyRefusal, R>

type Strings = Readonly<Record<string, string>>

interface Prepares<R> {
  readonly prepare: (path: Strings, query: Strings) => Either.Either<Prepared<R>, AnyRefusal>
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
    (path: unknown, query: unknown): Prepared<unknown> =>
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
  const places = placesOf(api)
  const byName = new Map(places.map(place => [place.name, place]))
  return places.map(place => {
    const name = place.instance?.of ?? place.name
    return routeOf(place, byName.get(name), given[keyOf(place.group)]?.[name])
  })
}
