/** The response headers beyond those of HTTP itself. */
import type { Header, Reference } from "./Document.ts"

const text = { type: "string" }
const count = { type: "integer", minimum: 0 }

export const responseHeaders = {
  "X-Request-Id": {
    description: "A UUID made by the service for this request; equal to the problem's requestId.",
    required: true,
    schema: { type: "string", format: "uuid" }
  },
  "Retry-After": { description: "Seconds after which a retry can succeed.", schema: count },
  "RateLimit-Limit": { description: "Requests per minute of the quota that was charged.", schema: count },
  "RateLimit-Remaining": { description: "Requests left in the current minute.", schema: count },
  RateLimit: { description: "The charged quota with what is left and when it resets.", schema: text },
  "RateLimit-Policy": { description: "The charged quota and its window.", schema: text },
  Location: { description: "The path of the created record.", schema: text },
  "Idempotent-Replayed": {
    description: "Present and true where the stored result of the same request is returned.",
    schema: { type: "string", enum: ["true"] }
  },
  ETag: { description: "Strong tag of these bytes, for If-None-Match.", schema: text },
  "WWW-Authenticate": { description: "On 401: signed requests, as /docs/signing has them.", schema: text },
  Allow: { description: "The methods of this path.", schema: text }
} satisfies Record<string, Header>

export type HeaderName = keyof typeof responseHeaders

export const QUOTA_HEADERS = [
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit",
  "RateLimit-Policy"
] as const

export const referToHeaders = (names: ReadonlyArray<HeaderName>): Readonly<Record<string, Reference>> =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))
