/** The signature headers, as the security scheme and the parameters of every signed operation. */
import { REQUEST_WINDOW } from "../../values/TypedData.ts"
import type { Access } from "../api/Access.ts"
import type { OpenApiOperation, Parameter, Reference, RightsNote } from "./Document.ts"
import { SAMPLE } from "./Samples.ts"

const SIGNATURE_HEADERS = {
  "X-Service-Account": "The account: eip155:<authority chain id>:<lower-case owner address>.",
  "X-Service-Signer": "The address whose signature the request carries: the owner's or a bot's.",
  "X-Service-Issued-At": "Start of the signed time window in Unix seconds.",
  "X-Service-Expires-At": `End of the signed time window in Unix seconds, at most ${REQUEST_WINDOW.maximumSeconds} after its start.`,
  "X-Service-Nonce": "32 random bytes as 0x and 64 lower-case hexadecimal digits, used once.",
  "X-Service-Signature":
    "The signature of the EIP-712 ServiceRequest over this request, by the signer's key; an owner may be a contract wallet."
} as const

export const securitySchemes = Object.fromEntries(
  Object.entries(SIGNATURE_HEADERS).map(([name, description]) => [
    name,
    { type: "apiKey", in: "header", name, description }
  ])
)

/** One requirement: all of the headers together. */
const allTogether = Object.fromEntries(Object.keys(SIGNATURE_HEADERS).map(name => [name, []]))

const idempotencyKey = (required: boolean, description: string): Parameter => ({
  name: "Idempotency-Key",
  in: "header",
  required,
  description,
  schema: { type: "string", pattern: "^[A-Za-z0-9._:-]{1,128}$" },
  example: "checkout-2025-0001"
})

export const credentialParameters = {
  Grant: {
    name: "X-Service-Grant",
    in: "header",
    required: false,
    description: "The id of the bot's grant, which is signed too; absent where the owner signs.",
    schema: { $ref: "#/components/schemas/GrantId" },
    example: SAMPLE.uuid
  },
  IdempotencyKey: idempotencyKey(
    false,
    "A signed key of the caller's choice; this operation does not store it."
  ),
  RequiredIdempotencyKey: idempotencyKey(
    true,
    "A signed key that names this request for good: the same key with the same request gives the stored result again, with another request IDEMPOTENCY_CONFLICT."
  )
} satisfies Record<string, Parameter>

const refer = (name: keyof typeof credentialParameters): Reference => ({
  $ref: `#/components/parameters/${name}`
})

export interface CredentialParts extends Pick<OpenApiOperation, "security" | "x-auth"> {
  readonly parameters: ReadonlyArray<Reference>
}

const rightsOf = ({ ownerOnly, scope, idempotency }: Extract<Access, { kind: "signed" }>): RightsNote => ({
  ownerOnly,
  requiredScope: ownerOnly ? null : scope,
  idempotencyRequired: idempotency === "required"
})

export const credentialsOf = (access: Access): CredentialParts =>
  access.kind === "public"
    ? { security: [], parameters: [] }
    : {
        security: [allTogether],
        "x-auth": rightsOf(access),
        parameters: [
          refer("Grant"),
          refer(access.idempotency === "required" ? "RequiredIdempotencyKey" : "IdempotencyKey")
        ]
      }
