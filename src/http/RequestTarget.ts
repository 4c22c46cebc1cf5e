/** Which raw request targets the service reads at all: nothing that could be read in two ways. */
import { Either } from "effect"
import { memo } from "../values/Memo.ts"
import { parsedUrl } from "../values/ParsedUrl.ts"
import { Refusal } from "../values/Refusal.ts"

export class InvalidRequestTarget extends Refusal("INVALID_REQUEST_TARGET") {}
export class NoncanonicalRequestTarget extends Refusal("NONCANONICAL_REQUEST_TARGET") {}

export type TargetRefusal = InvalidRequestTarget | NoncanonicalRequestTarget

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

const survivesParsing = (target: string): boolean => {
  const url = parsedUrl(`http://service${target}`)
  return url !== undefined && `${url.pathname}${url.search}` === target && !url.pathname.includes("//")
}

const parse = (target: string): Either.Either<RequestTarget, TargetRefusal> => {
  const detail = brokenRule(target)
  if (detail !== undefined) return Either.left(new InvalidRequestTarget({ detail }))
  if (!survivesParsing(target)) return Either.left(new NoncanonicalRequestTarget())
  const mark = target.indexOf("?")
  return Either.right(
    mark < 0
      ? { path: target, query: undefined }
      : { path: target.slice(0, mark), query: target.slice(mark + 1) }
  )
}

const parsed = memo<Either.Either<RequestTarget, TargetRefusal>>(TARGETS_KEPT)

/** The same few targets come again and again; what is kept of them is bounded. */
export const parseTarget = (target: string): Either.Either<RequestTarget, TargetRefusal> =>
  target.length > LONGEST_KEPT ? parse(target) : parsed(target, () => parse(target))
