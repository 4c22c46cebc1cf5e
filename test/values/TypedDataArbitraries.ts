import fc from "fast-check"
import type { MessageOf, MessageType } from "../../src/values/TypedData.ts"

const hex = (bytes: number) =>
  fc
    .uint8Array({ minLength: bytes, maxLength: bytes })
    .map((array): `0x${string}` => `0x${Buffer.from(array).toString("hex")}`)

export const bytes32 = hex(32)
export const address = hex(20)

/** Any text without lone surrogates, among it code points beyond the basic plane and combining marks. */
export const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ unit: "grapheme", maxLength: 200 }),
  fc.webUrl(),
  fc.constant("")
)

const seconds = fc.oneof(
  fc.maxSafeNat(),
  fc.constantFrom(0, 1, 255, 256, 2 ** 32 - 1, 2 ** 32, 2 ** 48, Number.MAX_SAFE_INTEGER)
)

export const chainIds = fc.oneof(
  fc.constantFrom(1, 10, 8453, 42161, 11155111, 31337, Number.MAX_SAFE_INTEGER - 1),
  fc.integer({ min: 1, max: 2 ** 40 })
)

const approval = {
  accountId: text,
  principalId: text,
  commitment: bytes32,
  issuedAt: seconds,
  expiresAt: seconds,
  nonce: bytes32
}

export const messages: {
  readonly [Type in MessageType]: fc.Arbitrary<Omit<MessageOf<Type>, "audience">>
} = {
  ServiceRequest: fc.record({
    accountId: text,
    signer: address,
    grantId: text,
    method: text,
    requestTarget: text,
    contentType: text,
    bodyHash: bytes32,
    issuedAt: seconds,
    expiresAt: seconds,
    nonce: bytes32,
    idempotencyKey: text
  }),
  ServiceBotProof: fc.record({
    accountId: text,
    botAddress: address,
    scopes: fc.array(text, { maxLength: 5 }),
    expiresAt: seconds,
    label: text,
    ownerRequestNonce: bytes32
  }),
  ServiceTransactionApproval: fc.record({
    ...approval,
    planId: text,
    stepIndex: fc.oneof(fc.nat(), fc.constantFrom(0, 2 ** 32 - 1)),
    transactionHash: bytes32
  }),
  ServiceSponsorshipApproval: fc.record({ ...approval, sponsorshipId: text, submissionHash: bytes32 })
}
