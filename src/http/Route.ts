/** Joins an endpoint's declaration to what it does, with its decoding and encoding in between. */
import { Data, Effect, Either } from "effect"
import type { Principal } from "../accounts/Principal.ts"
import type { SignedRequest } from "../auth/SignedRequest.ts"
import type { AnyRefusal } from "../values/Refusal.ts"
import { parseStrictJsonBytes } from "../values/StrictJson.ts"
import type { PublicAccess, SignedAccess } from "./api/Access.ts"
import type { Declaration } from "./api/Declare.ts"
import { inputRefusal, parameterRefusal } from "./Input.ts"

export interface Reply<Success> {
  readonly value: Success
  readonly headers?: Readonly<Record<string, string>>
}

export const reply = <Success>(
  value: Success,
  headers: Readonly<Record<string, string>> = {}
): Reply<Success> => ({
  value,
  headers
})

interface Input<Path, Query, Body> {
  readonly path: Path
  readonly query: Query
  readonly body: Body
}

/** A success value that its own schema does not encode: our mistake, never the caller's. */
class UnencodableSuccess extends Data.Error<{ readonly route: string; readonly cause: unknown }> {}

/** Its parameters are decoded; its body waits for its bytes, and its work for a body that is good. */
export type Prepared<R> = (body: Uint8Array) => Either.Either<Work<R>, AnyRefusal>
export type Work<R> = Effect.Effect<Reply<unknown>, AnyRefusal, R>

/** What the pipeline knows of an authenticated caller. */
export type Caller = Principal | SignedRequest

type Strings = Readonly<Record<string, string>>

interface Common {
  readonly name: string
  readonly method: string
  readonly at: string
  readonly status: number
  readonly queryNames: ReadonlyArray<string>
  readonly queryChoices: Readonly<Record<string, string>>
  readonly takesBody: boolean
}

type Prepare<R> = (path: Strings, query: Strings) => Either.Either<Prepared<R>, AnyRefusal>

export interface PublicRoute<R> extends Common {
  readonly access: PublicAccess
  readonly prepare: Prepare<R>
}

export interface SignedRoute<R> extends Common {
  readonly access: SignedAccess
  readonly prepare: Prepare<R>
}

/** What public and what signed routes need, apart. */
export type Route<P, S> = PublicRoute<P> | SignedRoute<S>

export const isPublic = <P, S>(route: Route<P, S>): route is PublicRoute<P> => route.access.kind === "public"

type Handle<Path, Query, Body, Success, R> = (
  input: Input<Path, Query, Body>
) => Effect.Effect<Reply<Success>, AnyRefusal, R>

const emptyBody = Either.right<unknown>(undefined)

const bodyDecoder =
  <Path, Query, Body, Success, A>(declared: Declaration<Path, Query, Body, Success, A>) =>
  (bytes: Uint8Array): Either.Either<Body, AnyRefusal> =>
    Either.flatMap(declared.takesBody ? parseStrictJsonBytes(bytes) : emptyBody, json =>
      Either.mapLeft(declared.decodeBody(json), inputRefusal)
    )

const preparing = <Path, Query, Body, Success, R, A>(
  declared: Declaration<Path, Query, Body, Success, A>,
  handle: Handle<Path, Query, Body, Success, R>
): Prepare<R> => {
  const decodeBody = bodyDecoder(declared)
  const encode = ({ value, headers }: Reply<Success>) =>
    Either.match(declared.encodeSuccess(value), {
      onLeft: cause => Effect.die(new UnencodableSuccess({ route: declared.name, cause })),
      onRight: encoded => Effect.succeed(reply(encoded, headers))
    })
  const run =
    (path: Path, query: Query): Prepared<R> =>
    bytes =>
      Either.map(decodeBody(bytes), body =>
        Effect.suspend(() => Effect.flatMap(handle({ path, query, body }), encode))
      )
  return (path, query) =>
    Either.mapLeft(
      Either.flatMap(declared.decodePath(path), decodedPath =>
        Either.map(declared.decodeQuery(query), decodedQuery => run(decodedPath, decodedQuery))
      ),
      parameterRefusal
    )
}

export const onPublic = <Path, Query, Body, Success, R>(
  declared: Declaration<Path, Query, Body, Success, PublicAccess>,
  handle: Handle<Path, Query, Body, Success, R>
): PublicRoute<R> => ({ ...declared, prepare: preparing(declared, handle) })

export const onSigned = <Path, Query, Body, Success, R>(
  declared: Declaration<Path, Query, Body, Success, SignedAccess>,
  handle: Handle<Path, Query, Body, Success, R>
): SignedRoute<R> => ({ ...declared, prepare: preparing(declared, handle) })
