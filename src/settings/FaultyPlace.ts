/** Which part of a setting is at fault, where it has several: told by its place, and of a secret by its number alone. */
import type { ParseResult } from "effect"
import { misfitOf } from "../values/Expectation.ts"

const isNumber = (part: PropertyKey | undefined): part is number => typeof part === "number"

/** To stand behind what the whole is to be. */
export const faultyPlace = (
  { secret }: { readonly secret: boolean },
  error: ParseResult.ParseError
): string => {
  const { path } = misfitOf(error)
  const [first, ...rest] = path
  if (isNumber(first) && rest.length === 0) return ` (look at item ${first + 1})`
  return first === undefined || secret ? "" : ` (look at ${path.map(String).join(".")})`
}
