/** Tells what failed without quoting it: an error's message may hold a caller's data or an operator's secret. */
import { Cause, Predicate } from "effect"

export interface QuietError {
  readonly error: string
  /** An SQLSTATE or a code of the operating system. */
  readonly code?: string
  readonly message?: string
  readonly at?: ReadonlyArray<string>
}

const CODE = /^[A-Z0-9_]{2,40}$/
const FRAMES = 8
const DEPTH = 4

const textOf = (value: object, name: string): string | undefined => {
  const found: unknown = Reflect.get(value, name)
  return typeof found === "string" ? found : undefined
}

const framesOf = (value: object): ReadonlyArray<string> =>
  (textOf(value, "stack") ?? "")
    .split("\n")
    .filter(line => /^\s+at /.test(line))
    .slice(0, FRAMES)
    .map(line => line.trim())

/** The messages of these are literals of our own sources. */
const speaksForItself = (value: object): boolean => Cause.isRuntimeException(value)

const describe = (value: unknown): QuietError => {
  if (typeof value !== "object" || value === null) return { error: typeof value }
  const code = textOf(value, "code")
  const message = speaksForItself(value) ? textOf(value, "message") : undefined
  const at = framesOf(value)
  return {
    error: textOf(value, "_tag") ?? textOf(value, "name") ?? "object",
    ...(code !== undefined && CODE.test(code) ? { code } : {}),
    ...(message === undefined ? {} : { message }),
    ...(at.length === 0 ? {} : { at })
  }
}

/** An error and what caused it. */
export const quietErrors = (value: unknown, depth = 0): ReadonlyArray<QuietError> => {
  const inner = Predicate.hasProperty(value, "cause") ? value.cause : undefined
  const below = inner === undefined || depth >= DEPTH ? [] : quietErrors(inner, depth + 1)
  return [describe(value), ...below]
}

export const quietCause = (cause: Cause.Cause<unknown>): ReadonlyArray<QuietError> => [
  ...[...Cause.failures(cause)].flatMap(failure => quietErrors(failure)),
  ...[...Cause.defects(cause)].flatMap(defect => quietErrors(defect)),
  ...(Cause.isInterruptedOnly(cause) ? [{ error: "interrupted" }] : [])
]
