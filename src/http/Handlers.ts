/** What a handler of each endpoint has to be, by the endpoint's declaration alone. */
import type { HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import type { Effect } from "effect"
import type { ProblemCode } from "../values/ProblemRegister.ts"
import type { AnyRefusal, Refused } from "../values/Refusal.ts"
import type { SignedAccess } from "./api/Access.ts"
import type { CodesOfAccess } from "./api/CommonProblems.ts"

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

export type DeclaredEndpoint = HttpApiEndpoint.HttpApiEndpoint.Any

export interface HandlerInput<Path, Query, Body> {
  readonly path: Path
  readonly query: Query
  readonly body: Body
}

/** It answers what was declared, refuses with codes that were declared, and may need anything. */
type HandlerOf<Each> =
  Each extends HttpApiEndpoint.HttpApiEndpoint<
    infer _Name,
    infer _Method,
    infer Path,
    infer Query,
    infer Body,
    infer _Headers,
    infer Success,
    infer Error,
    infer _Caller,
    infer _R
  >
    ? (input: HandlerInput<Path, Query, Body>) => Effect.Effect<Reply<Success>, Error, unknown>
    : never

/** A path of its own has no handler of its own: its name is no literal. */
export type NameOf<Each extends DeclaredEndpoint> = Each extends DeclaredEndpoint
  ? string extends Each["name"]
    ? never
    : Each["name"]
  : never

export type HandlersOf<Each extends DeclaredEndpoint> = {
  readonly [Name in NameOf<Each>]: HandlerOf<Extract<Each, { readonly name: Name }>>
}

export type Undeclared<Given, Names extends string> = {
  readonly [Key in Exclude<keyof Given, Names>]: "no endpoint has this name"
}

/** A group that knows the operations of its process is made of them. */
type OrMade<Group> = Group | ((declared: never) => Group)

/** The handlers of one group: one for each of its endpoints, and none more. */
export const handling = <
  Id extends string,
  Each extends DeclaredEndpoint,
  E,
  R,
  Top extends boolean,
  Given extends HandlersOf<Each>
>(
  _group: OrMade<HttpApiGroup.HttpApiGroup<Id, Each, E, R, Top>>,
  given: Given & Undeclared<Given, NameOf<Each>>
): Given => given

/** Holds a part of a handler's work to these codes where the whole may refuse with more. */
export const refusingOnly =
  <Code extends ProblemCode>(_codes: ReadonlyArray<Code>) =>
  <A, E extends Refused<Code | CodesOfAccess<SignedAccess>>, R>(work: Effect.Effect<A, E, R>) =>
    work

/** Any handler: what it is given was decoded by its own endpoint's schemas. */
export type AnyHandler = (
  input: HandlerInput<unknown, unknown, unknown>
) => Effect.Effect<Reply<unknown>, AnyRefusal, unknown>

/** By group and name. */
export type AnyHandlers = Readonly<Record<string, Readonly<Record<string, AnyHandler>>>>

type EndpointsOf<Group> =
  Group extends HttpApiGroup.HttpApiGroup<infer _Id, infer Each, infer _E, infer _R, infer _Top>
    ? Each
    : never

type AnyGroup = HttpApiGroup.HttpApiGroup.Any

/** `accounts` of the group `Accounts`. */
type KeyOf<Group extends AnyGroup> = Group extends AnyGroup ? Uncapitalize<Group["identifier"]> : never

type GroupAt<Groups extends AnyGroup, Key> = Groups extends AnyGroup
  ? KeyOf<Groups> extends Key
    ? Groups
    : never
  : never

/** The handlers of all groups. */
export type ApiHandlers<Groups extends AnyGroup> = {
  readonly [Key in KeyOf<Groups>]: HandlersOf<EndpointsOf<GroupAt<Groups, Key>>>
}

type NeedOf<Handler> = Handler extends (input: never) => Effect.Effect<infer _A, infer _E, infer R>
  ? R
  : never

type IsPublic<Each> = [HttpApiEndpoint.HttpApiEndpoint.Context<Each>] extends [never] ? true : false

export type NeedsOfGroup<Each extends DeclaredEndpoint, Given, Public> = {
  readonly [Name in NameOf<Each>]: Name extends keyof Given
    ? IsPublic<Extract<Each, { readonly name: Name }>> extends Public
      ? NeedOf<Given[Name]>
      : never
    : never
}[NameOf<Each>]

/** What the handlers of the public endpoints need together, or those of the signed ones. */
export type NeedsOf<Groups extends AnyGroup, Given, Public extends boolean> = {
  readonly [Key in KeyOf<Groups>]: Key extends keyof Given
    ? NeedsOfGroup<EndpointsOf<GroupAt<Groups, Key>>, Given[Key], Public>
    : never
}[KeyOf<Groups>]
