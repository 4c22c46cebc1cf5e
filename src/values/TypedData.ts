/** The four signed messages and their domain, declared once: types, wallet payloads and the encoder all follow from here. */
import type { Address, Bytes32 } from "./Scalars.ts"

export const domainMembers = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "salt", type: "bytes32" }
] as const

/** How long a signature may hold, and how far ahead of the service's clock it may begin. */
export const REQUEST_WINDOW = { maximumSeconds: 300, futureAllowanceSeconds: 30 } as const
export const APPROVAL_WINDOW = { maximumSeconds: 300, futureAllowanceSeconds: 30 } as const

export const messageTypes = {
  ServiceRequest: [
    { name: "audience", type: "string" },
    { name: "accountId", type: "string" },
    { name: "signer", type: "address" },
    { name: "grantId", type: "string" },
    { name: "method", type: "string" },
    { name: "requestTarget", type: "string" },
    { name: "contentType", type: "string" },
    { name: "bodyHash", type: "bytes32" },
    { name: "issuedAt", type: "uint64" },
    { name: "expiresAt", type: "uint64" },
    { name: "nonce", type: "bytes32" },
    { name: "idempotencyKey", type: "string" }
  ],
  ServiceBotProof: [
    { name: "audience", type: "string" },
    { name: "accountId", type: "string" },
    { name: "botAddress", type: "address" },
    { name: "scopes", type: "string[]" },
    { name: "expiresAt", type: "uint64" },
    { name: "label", type: "string" },
    { name: "ownerRequestNonce", type: "bytes32" }
  ],
  ServiceTransactionApproval: [
    { name: "audience", type: "string" },
    { name: "accountId", type: "string" },
    { name: "principalId", type: "string" },
    { name: "planId", type: "string" },
    { name: "commitment", type: "bytes32" },
    { name: "stepIndex", type: "uint32" },
    { name: "transactionHash", type: "bytes32" },
    { name: "issuedAt", type: "uint64" },
    { name: "expiresAt", type: "uint64" },
    { name: "nonce", type: "bytes32" }
  ],
  ServiceSponsorshipApproval: [
    { name: "audience", type: "string" },
    { name: "accountId", type: "string" },
    { name: "principalId", type: "string" },
    { name: "sponsorshipId", type: "string" },
    { name: "commitment", type: "bytes32" },
    { name: "submissionHash", type: "bytes32" },
    { name: "issuedAt", type: "uint64" },
    { name: "expiresAt", type: "uint64" },
    { name: "nonce", type: "bytes32" }
  ]
} as const

/** How each member type is written in TypeScript; integers are seconds, steps and chain ids, all within 2^53-1. */
export interface MemberValues {
  readonly string: string
  readonly "string[]": ReadonlyArray<string>
  readonly address: Address
  readonly bytes32: Bytes32
  readonly uint32: number
  readonly uint64: number
  readonly uint256: number
}

export interface TypedDataMember {
  readonly name: string
  readonly type: keyof MemberValues
}

type Message<Members extends ReadonlyArray<TypedDataMember>> = {
  readonly [M in Members[number] as M["name"]]: MemberValues[M["type"]]
}

export type MessageType = keyof typeof messageTypes
export type MessageOf<Type extends MessageType> = Message<(typeof messageTypes)[Type]>

export type ServiceRequest = MessageOf<"ServiceRequest">
export type ServiceBotProof = MessageOf<"ServiceBotProof">
export type ServiceTransactionApproval = MessageOf<"ServiceTransactionApproval">
export type ServiceSponsorshipApproval = MessageOf<"ServiceSponsorshipApproval">

export type Domain = Message<typeof domainMembers>

export const DOMAIN_NAME = "Service REST"
export const DOMAIN_VERSION = "1"

/** What a wallet signs, with `EIP712Domain` listed because wallets that guess it drop the salt. */
export const walletPayload = <Type extends MessageType>(
  primaryType: Type,
  domain: Domain,
  message: MessageOf<Type>
) => ({
  types: { EIP712Domain: domainMembers, [primaryType]: messageTypes[primaryType] },
  primaryType,
  domain,
  message
})

/** `ServiceRequest(string audience,…)`: the text whose hash is the type hash. */
export const encodeType = (
  name: string,
  members: ReadonlyArray<{ readonly name: string; readonly type: string }>
): string => `${name}(${members.map(member => `${member.type} ${member.name}`).join(",")})`
