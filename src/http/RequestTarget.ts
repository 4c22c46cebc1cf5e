/** Which raw request targets the service reads at all, for which host and with which parameters: nothing that could be read in two ways. */

import type { IncomingMessage } from "node:http"
import { Either } from "effect"
import { excerpt } from "../values/Excerpt.ts"
import { memo } from "../values/Memo.ts"
import { parsedUrl } from "../values/ParsedUrl.ts"
import { Refusal } from "../values/Refusal.ts"
import { InvalidUtf8 } from "../values/StrictJson.ts"
import { InvalidQuery, MissingParameter } from "./refusals.ts"

export class InvalidRequestTarget extends Refusal("INVALID_REQUEST_TARGET") {}
export class NoncanonicalRequestTarget extends Refusal("NONCANONICAL_REQUEST_TARGET") {}

export type RequestTargetRefusal = InvalidRequestTarget | NoncanonicalRequestTarget

export interface RequestTarget {
  readonly path: string
  /** Without the question mark; undefined where there is none. */
  readonly query: string | undefined
}

export const MAXIMUM_TARGET = 4096

const TARGETS_KEPT = 512
const LONGEST_KEPT = 256

const PRINTABLE = /^\/[\x21-\x7e]*$/
const FORBIDDEN = /[\\#]/
const MALFORMED_ESCAPE = /%(?![0-9A-Fa-f]{2})/
const ENCODED_SLASH = /%2f|%5c/i

const brokenRule = (target: string): string | undefined => {
  if (target.length > MAXIMUM_TARGET) return `the target is longer than ${MAXIMUM_TARGET} characters`
  if (!PRINTABLE.test(target))
    return "the target must start with a slash and hold printable ASCII characters only"
  if (FORBIDDEN.test(target)) return "the target must not hold a backslash or a number sign"
  if (MALFORMED_ESCAPE.test(target)) return "a percent sign must be followed by two hexadecimal digits"
  if (ENCODED_SLASH.test(target.split("?", 1)[0] ?? ""))
    return "the path must not hold an encoded slash or backslash"
  return undefined
}

/** Undefined where a parser makes no target of it. */
const reparsed = (target: string): string | undefined => {
  const url = parsedUrl(`http://service${target}`)
  return url && `${url.pathname}${url.search}`
}

const SHOWN_BEFORE = 16

/** From shortly before the first character that differs. */
const difference = (target: string, canonical: string) => {
  let first = 0
  while (first < target.length && target[first] === canonical[first]) first += 1
  const from = Math.max(0, first - SHOWN_BEFORE)
  return { received: excerpt(target.slice(from)), expected: excerpt(canonical.slice(from)) }
}

const noncanonical = (target: string): NoncanonicalRequestTarget | undefined => {
  const canonical = reparsed(target)
  if (canonical === undefined) return new NoncanonicalRequestTarget()
  if (canonical !== target) return new NoncanonicalRequestTarget({ context: difference(target, canonical) })
  return /^[^?]*\/\//.test(target) ? new NoncanonicalRequestTarget() : undefined
}

const parse = (target: string): Either.Either<RequestTarget, RequestTargetRefusal> => {
  const detail = brokenRule(target)
  if (detail !== undefined) return Either.left(new InvalidRequestTarget({ detail }))
  const altered = noncanonical(target)
  if (altered !== undefined) return Either.left(altered)
  const mark = target.indexOf("?")
  return Either.right(
    mark < 0
      ? { path: target, query: undefined }
      : { path: target.slice(0, mark), query: target.slice(mark + 1) }
  )
}

const parsed = memo<Either.Either<RequestTarget, RequestTargetRefusal>>(TARGETS_KEPT)

/** The same few targets come again and again; what is kept of them is bounded. */
export const parseTarget = (target: string): Either.Either<RequestTarget, RequestTargetRefusal> =>
  target.length > LONGEST_KEPT ? parse(target) : parsed(target, () => parse(target))

const AUTHORITY = /^[\w.~!$&'()*+,;=%:[\]-]*$/

const fault = ({ rawHeaders, httpVersion }: IncomingMessage): string | undefined => {
  let hosts = 0
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== "host") continue
    hosts += 1
    if (!AUTHORITY.test(rawHeaders[index + 1] ?? "")) return "the Host header must name a host"
  }
  if (hosts > 1) return "the Host header must be given once"
  return hosts === 1 || httpVersion === "1.0" ? undefined : "HTTP/1.1 needs a Host header"
}

/** The Host header as RFC 9112 asks for it: HTTP/1.1 has exactly one, and it names an authority or nothing. */
export const hostRefusal = (request: IncomingMessage): InvalidRequestTarget | undefined => {
  const detail = fault(request)
  return detail === undefined ? undefined : new InvalidRequestTarget({ detail })
}

type QueryRefusal = InvalidQuery | MissingParameter | InvalidUtf8

const decodePart = (text: string): string => decodeURIComponent(text.replaceAll("+", " "))

const splitPair = (pair: string): readonly [string, string] => {
  const equals = pair.indexOf("=")
  return equals < 0
    ? [decodePart(pair), ""]
    : [decodePart(pair.slice(0, equals)), decodePart(pair.slice(equals + 1))]
}

const pairsOf = (query: string): Either.Either<ReadonlyArray<readonly [string, string]>, InvalidUtf8> =>
  Either.try({ try: () => query.split("&").map(splitPair), catch: () => new InvalidUtf8() })

/** What a route knows of its query. */
interface Known {
  readonly queryNames: ReadonlyArray<string>
  /** By name, of those that are a choice. */
  readonly queryChoices: Readonly<Record<string, string>>
}

export const missingParameter = (parameter: string, expected: string | undefined): MissingParameter =>
  new MissingParameter({ context: { parameter, ...(expected === undefined ? {} : { expected }) } })

const faultOf = (
  { queryNames, queryChoices }: Known,
  values: Readonly<Record<string, string>>,
  [name, value]: readonly [string, string]
): InvalidQuery | MissingParameter | undefined => {
  const parameter = excerpt(name)
  if (!queryNames.includes(name)) return new InvalidQuery({ context: { parameter, allowed: queryNames } })
  if (Object.hasOwn(values, name)) return new InvalidQuery({ context: { parameter, repeated: true } })
  return value === "" ? missingParameter(parameter, queryChoices[name]) : undefined
}

/** The parameters of a raw query: each known to the route, given once and not empty. */
export const parseQuery = (
  query: string | undefined,
  known: Known
): Either.Either<Readonly<Record<string, string>>, QueryRefusal> => {
  if (query === undefined) return Either.right({})
  const pairs = pairsOf(query)
  if (Either.isLeft(pairs)) return Either.left(pairs.left)
  const values: Record<string, string> = {}
  for (const pair of pairs.right) {
    const fault = faultOf(known, values, pair)
    if (fault !== undefined) return Either.left(fault)
    values[pair[0]] = pair[1]
  }
  return Either.right(values)
}
