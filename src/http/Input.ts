/** Decodes paths, queries and bodies against their schemas, and says which member is wrong and what would be right. */
import { Either, type ParseResult } from "effect"
import { misfitOf } from "../values/Expectation.ts"
import { InvalidUtf8 } from "../values/StrictJson.ts"
import { InvalidInput, InvalidParameter, InvalidQuery, MissingParameter } from "./refusals.ts"

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

const missing = (parameter: string, expected: string | undefined): MissingParameter =>
  new MissingParameter({ context: { parameter, ...(expected === undefined ? {} : { expected }) } })

const faultOf = (
  { queryNames, queryChoices }: Known,
  values: Readonly<Record<string, string>>,
  [name, value]: readonly [string, string]
): InvalidQuery | MissingParameter | undefined => {
  const parameter = name.slice(0, 100)
  if (!queryNames.includes(name)) return new InvalidQuery({ context: { parameter, allowed: queryNames } })
  if (Object.hasOwn(values, name)) return new InvalidQuery({ context: { parameter, repeated: true } })
  return value === "" ? missing(parameter, queryChoices[name]) : undefined
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

const dotted = (path: ReadonlyArray<PropertyKey>): string =>
  path.reduce<string>(
    (text, part) =>
      typeof part === "number" ? `${text}[${part}]` : text === "" ? String(part) : `${text}.${String(part)}`,
    ""
  )

export const parameterRefusal = (error: ParseResult.ParseError): MissingParameter | InvalidParameter => {
  const { path, isMissing, expected, choices } = misfitOf(error)
  const parameter = dotted(path)
  return isMissing ? missing(parameter, choices) : new InvalidParameter({ context: { parameter, expected } })
}

/** `within` is the member of the body that the input is. */
export const inputRefusal = (
  error: ParseResult.ParseError,
  within: ReadonlyArray<string> = []
): InvalidInput => {
  const { path, expected, choices = expected } = misfitOf(error)
  return new InvalidInput({ context: { path: dotted([...within, ...path]), expected: choices } })
}
