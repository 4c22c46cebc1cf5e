/** Says which member of a path, query or body does not fit its schema, and what would be right. */
import type { ParseResult } from "effect"
import { misfitOf } from "../values/Expectation.ts"
import { missingParameter } from "./RequestTarget.ts"
import { InvalidInput, InvalidParameter, type MissingParameter } from "./refusals.ts"

const dotted = (path: ReadonlyArray<PropertyKey>): string =>
  path.reduce<string>(
    (text, part) =>
      typeof part === "number" ? `${text}[${part}]` : text === "" ? String(part) : `${text}.${String(part)}`,
    ""
  )

export const parameterRefusal = (error: ParseResult.ParseError): MissingParameter | InvalidParameter => {
  const { path, isMissing, expected, choices } = misfitOf(error)
  const parameter = dotted(path)
  return isMissing
    ? missingParameter(parameter, choices)
    : new InvalidParameter({ context: { parameter, expected } })
}

/** `within` is the member of the body that the input is. */
export const inputRefusal = (
  error: ParseResult.ParseError,
  within: ReadonlyArray<string> = []
): InvalidInput => {
  const { path, expected } = misfitOf(error)
  return new InvalidInput({ context: { path: dotted([...within, ...path]), expected } })
}
