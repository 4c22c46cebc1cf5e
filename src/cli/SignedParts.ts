/** The pieces of a signed request that `verify` looks at, from a problem's diagnosis or from what was sent. */
import { domainFor, partsOfAccount } from "../client/SignRequest.ts"
import { keccak256Utf8 } from "../values/Keccak.ts"
import type { ServiceRequest } from "../values/TypedData.ts"
import { usageFailure } from "./Failure.ts"
import type { Input } from "./Input.ts"
import { jsonFrom, textFile } from "./Json.ts"

export interface SignedParts {
  readonly signed: ServiceRequest
  readonly chainId: number
  readonly body: string
  readonly signature: string | undefined
  /** What the service said of it. */
  readonly reported: {
    readonly digest?: unknown
    readonly recovered?: unknown
    readonly likelyCause?: unknown
  }
}

type Fields = Readonly<Record<string, unknown>>

const SHAPES: Readonly<Record<string, RegExp>> = {
  signer: /^0x[0-9a-fA-F]{40}$/,
  bodyHash: /^0x[0-9a-f]{64}$/,
  nonce: /^0x[0-9a-f]{64}$/
}

const malformed = (fault: string) => usageFailure(fault, "Give every signature header as it was sent.")

const hexField = (fields: Fields, name: string): `0x${string}` => {
  const text = String(fields[name])
  if (SHAPES[name]?.test(text) === true) return `0x${text.slice(2)}`
  throw malformed(`${name} is missing or malformed.`)
}

const textField = (fields: Fields, name: string): string => String(fields[name] ?? "")

const secondsField = (fields: Fields, name: string): number => {
  const seconds = Number(fields[name])
  if (Number.isSafeInteger(seconds)) return seconds
  throw malformed(`${name} is no number of seconds.`)
}

const requestOf = (fields: Fields): ServiceRequest => ({
  audience: textField(fields, "audience"),
  accountId: textField(fields, "accountId"),
  signer: hexField(fields, "signer"),
  grantId: textField(fields, "grantId"),
  method: textField(fields, "method"),
  requestTarget: textField(fields, "requestTarget"),
  contentType: textField(fields, "contentType"),
  bodyHash: hexField(fields, "bodyHash"),
  issuedAt: secondsField(fields, "issuedAt"),
  expiresAt: secondsField(fields, "expiresAt"),
  nonce: hexField(fields, "nonce"),
  idempotencyKey: textField(fields, "idempotencyKey")
})

const bodyOf = async (input: Input): Promise<string> => {
  const path = input.value("body-file")
  return path === undefined ? "" : textFile(path)
}

const member = (value: unknown, name: string): unknown => Object(value)[name]

const fromProblem = async (input: Input, path: string): Promise<SignedParts> => {
  const file = jsonFrom(await textFile(path), `The file ${path}`)
  const problem = member(member(file, "error"), "problem") ?? file
  const diagnosis: Fields = Object(member(problem, "diagnosis"))
  if (diagnosis.signed === undefined)
    throw usageFailure(
      "The problem has no diagnosis.",
      "Only INVALID_SIGNATURE and AUTH_EXPIRED carry one; give the pieces with --audience, --header and so on."
    )
  const signed = requestOf(Object(diagnosis.signed))
  return {
    signed,
    chainId: partsOfAccount(signed.accountId).chainId,
    body: await bodyOf(input),
    signature: input.value("signature"),
    reported: diagnosis
  }
}

const headersOf = (input: Input): ReadonlyMap<string, string> =>
  new Map(
    input.all("header").map(line => {
      const colon = line.indexOf(":")
      if (colon < 1) input.fail(`--header takes "Name: value", not "${line}".`)
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()] as const
    })
  )

const fromPieces = async (input: Input): Promise<SignedParts> => {
  const headers = headersOf(input)
  const body = await bodyOf(input)
  const signed = requestOf({
    audience: input.neededValue("audience"),
    accountId: headers.get("x-service-account"),
    signer: headers.get("x-service-signer"),
    grantId: headers.get("x-service-grant"),
    method: input.neededValue("method").toUpperCase(),
    requestTarget: input.neededValue("target"),
    contentType: headers.get("content-type"),
    bodyHash: keccak256Utf8(body),
    issuedAt: headers.get("x-service-issued-at"),
    expiresAt: headers.get("x-service-expires-at"),
    nonce: headers.get("x-service-nonce"),
    idempotencyKey: headers.get("idempotency-key")
  })
  const { chainId } = domainFor(signed.audience, signed.accountId)
  const signature = input.value("signature") ?? headers.get("x-service-signature")
  return { signed, chainId, body, signature, reported: {} }
}

export const signedParts = (input: Input): Promise<SignedParts> => {
  const problem = input.value("problem")
  return problem === undefined ? fromPieces(input) : fromProblem(input, problem)
}
