/** What can go wrong with an operation, by status, with an example of every code. */
import { adviceByCause } from "../../signatures/LikelyCause.ts"
import { type ProblemCode, ProblemRegister, problemCodes } from "../../values/ProblemRegister.ts"
import type { Access } from "../api/Access.ts"
import { EVERYWHERE, SIGNED, WITH_BODY } from "../api/CommonProblems.ts"
import { titleOf } from "../Problems.ts"
import type { Reference, Response, SchemaObject } from "./Document.ts"
import { type HeaderName, QUOTA_HEADERS, referToHeaders } from "./Headers.ts"
import { SAMPLE } from "./Samples.ts"

export interface Circumstances {
  readonly access: Access
  readonly takesBody: boolean
  readonly hasParameters: boolean
  /** What the endpoint's own declaration names. */
  readonly declared: ReadonlyArray<ProblemCode>
}

const codesOf = ({ access, takesBody, hasParameters, declared }: Circumstances): ReadonlySet<ProblemCode> => {
  const signed = access.kind === "signed"
  return new Set([
    ...EVERYWHERE,
    ...(hasParameters ? (["MISSING_PARAMETER", "INVALID_PARAMETER"] as const) : []),
    ...(signed ? SIGNED : []),
    ...(signed && !access.enrolment ? (["ACCOUNT_NOT_FOUND"] as const) : []),
    ...(signed && access.idempotency === "required" ? (["IDEMPOTENCY_REQUIRED"] as const) : []),
    ...(takesBody ? WITH_BODY : (["GET_BODY_UNSUPPORTED"] as const)),
    ...declared
  ])
}

const WAITING = new Set([429, 503])

/** The likely problems by status, and any other as the default. */
export const problemResponses = (circumstances: Circumstances): Readonly<Record<string, Reference>> => {
  const codes = codesOf(circumstances)
  const known = problemCodes.filter(code => codes.has(code))
  const statuses = [...new Set(known.map(code => ProblemRegister[code].status))].sort((a, b) => a - b)
  const byStatus = statuses.map(status => [
    String(status),
    {
      $ref: `#/components/responses/${WAITING.has(status) ? "ProblemWithRetryAfter" : "Problem"}`,
      description: known.filter(code => ProblemRegister[code].status === status).join(", ")
    }
  ])
  return { ...Object.fromEntries(byStatus), default: { $ref: "#/components/responses/Problem" } }
}

const sharedResponse = (
  description: string,
  headers: ReadonlyArray<HeaderName>,
  codes: ReadonlyArray<ProblemCode>
): Response => ({
  description,
  headers: referToHeaders(headers),
  content: {
    "application/problem+json": {
      schema: { $ref: "#/components/schemas/Problem" },
      examples: Object.fromEntries(codes.map(code => [code, { $ref: `#/components/examples/${code}` }]))
    }
  }
})

const waits = (code: ProblemCode) => WAITING.has(ProblemRegister[code].status)

export const sharedResponses = {
  Problem: sharedResponse(
    "A problem; its code says which.",
    ["X-Request-Id", ...QUOTA_HEADERS, "WWW-Authenticate", "Allow"],
    problemCodes.filter(code => !waits(code))
  ),
  ProblemWithRetryAfter: sharedResponse(
    "A problem that time may solve; where it is retryable, Retry-After says when.",
    ["X-Request-Id", ...QUOTA_HEADERS, "Retry-After"],
    problemCodes.filter(waits)
  )
}

const exampleOf = (audience: string, code: ProblemCode) => {
  const { status, retryable, sentence } = ProblemRegister[code]
  return {
    summary: sentence,
    value: {
      type: `${audience}/docs/errors#${code.toLowerCase()}`,
      title: titleOf(code),
      status,
      detail: sentence,
      code,
      requestId: SAMPLE.uuid,
      retryable
    }
  }
}

export const problemExamples = (audience: string) =>
  Object.fromEntries(problemCodes.map(code => [code, exampleOf(audience, code)]))

export const problemSchemas: Readonly<Record<string, SchemaObject>> = {
  ProblemCode: { type: "string", enum: problemCodes, description: "What went wrong, for programs." },
  Problem: {
    type: "object",
    description: "Why a request was refused (RFC 9457).",
    required: ["type", "title", "status", "detail", "code", "requestId", "retryable"],
    additionalProperties: false,
    properties: {
      type: { type: "string", description: "Where the code is documented." },
      title: { type: "string" },
      status: { type: "integer", minimum: 400, maximum: 599 },
      detail: { type: "string" },
      code: { $ref: "#/components/schemas/ProblemCode" },
      requestId: { type: "string", format: "uuid" },
      retryable: { type: "boolean", description: "Whether the same intent may succeed later." },
      context: {
        type: "object",
        description: "What the caller may know about the refusal, such as the offending parameter.",
        additionalProperties: true
      },
      diagnosis: { $ref: "#/components/schemas/Diagnosis" }
    }
  },
  Diagnosis: {
    type: "object",
    description:
      "The service's view of a request whose signature was refused: the twelve signed fields, the domain, the digest and the address recovered from it.",
    required: ["signed", "domain", "digest", "recovered", "serverTime"],
    additionalProperties: false,
    properties: {
      signed: { type: "object", additionalProperties: true },
      domain: { type: "object", additionalProperties: true },
      digest: { $ref: "#/components/schemas/Bytes32" },
      recovered: { anyOf: [{ $ref: "#/components/schemas/Address" }, { type: "null" }] },
      serverTime: { $ref: "#/components/schemas/UnixSeconds" },
      likelyCause: {
        type: "string",
        enum: Object.keys(adviceByCause),
        description: `The classic mistake that explains the difference. ${Object.entries(adviceByCause)
          .map(([cause, advice]) => `${cause}: ${advice}`)
          .join(" ")}`
      }
    }
  }
}
