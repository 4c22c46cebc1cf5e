import type { ProblemCode } from "./ProblemRegister.ts"

/** The `application/problem+json` object of a refusal (RFC 9457). */
export interface Problem {
  readonly type: string
  readonly title: string
  /** The HTTP status. */
  readonly status: number
  readonly detail: string
  /** One that a newer service made is none of the type's. */
  readonly code: ProblemCode
  readonly requestId: string
  /** Whether the same request can succeed later. */
  readonly retryable: boolean
  readonly context?: Readonly<Record<string, unknown>>
  /** How the service read a request whose signature it refused. */
  readonly diagnosis?: Readonly<Record<string, unknown>>
}
