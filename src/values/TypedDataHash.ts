/** The digests that wallets and bots sign; the audience given here is the one that counts, in the message and in the salt. */
import { keccak256Bytes, keccak256Utf8 } from "./Keccak.ts"
import { memo } from "./Memo.ts"
import {
  DOMAIN_NAME,
  DOMAIN_VERSION,
  type Domain,
  domainMembers,
  type MessageOf,
  type MessageType,
  messageTypes
} from "./TypedData.ts"
import { toHex } from "./TypedDataBytes.ts"
import {
  encodeData,
  type Fields,
  hashStruct,
  type Struct,
  signingPreimage,
  struct
} from "./TypedDataEncoder.ts"

type Unaddressed<Type extends MessageType> = Omit<MessageOf<Type>, "audience">

const domainStruct = struct("EIP712Domain", domainMembers)

const saltlessStruct = struct(
  domainStruct.name,
  domainMembers.filter(({ name }) => name !== "salt")
)

const structs: Readonly<Record<MessageType, Struct>> = {
  ServiceRequest: struct("ServiceRequest", messageTypes.ServiceRequest),
  ServiceBotProof: struct("ServiceBotProof", messageTypes.ServiceBotProof),
  ServiceTransactionApproval: struct("ServiceTransactionApproval", messageTypes.ServiceTransactionApproval),
  ServiceSponsorshipApproval: struct("ServiceSponsorshipApproval", messageTypes.ServiceSponsorshipApproval)
}

export const domainOf = (audience: string, chainId: number): Domain => ({
  name: DOMAIN_NAME,
  version: DOMAIN_VERSION,
  chainId,
  salt: keccak256Utf8(audience)
})

const separators = memo<Uint8Array>(256)

const separatorOf = (audience: string, chainId: number): Uint8Array =>
  separators(`${chainId} ${audience}`, () => hashStruct(domainStruct, domainOf(audience, chainId)))

const digestFor =
  <Type extends MessageType>(type: Type) =>
  (audience: string, chainId: number, message: Unaddressed<Type>): Uint8Array =>
    keccak256Bytes(
      signingPreimage(separatorOf(audience, chainId), hashStruct(structs[type], { ...message, audience }))
    )

export const requestDigest = digestFor("ServiceRequest")
export const botProofDigest = digestFor("ServiceBotProof")
export const transactionApprovalDigest = digestFor("ServiceTransactionApproval")
export const sponsorshipApprovalDigest = digestFor("ServiceSponsorshipApproval")

/** What a wallet signs that builds the domain without its salt: refused, and recognised for advice. */
export const saltlessRequestDigest = (
  audience: string,
  chainId: number,
  message: Unaddressed<"ServiceRequest">
): Uint8Array =>
  keccak256Bytes(
    signingPreimage(
      hashStruct(saltlessStruct, domainOf(audience, chainId)),
      hashStruct(structs.ServiceRequest, { ...message, audience })
    )
  )

const traceStruct = (of: Struct, fields: Fields) => {
  const words = encodeData(of, fields)
  return {
    encodedType: of.encodedType,
    typeHash: toHex(of.typeHash),
    members: of.members.map(({ name, type }, index) => ({
      name,
      type,
      value: fields[name],
      word: toHex(words.subarray(32 * (index + 1), 32 * (index + 2)))
    })),
    hash: toHex(keccak256Bytes(words))
  }
}

/** Every intermediate value of a digest, for people who look for the byte that differs. */
export const traceDigest = <Type extends MessageType>(
  type: Type,
  audience: string,
  chainId: number,
  message: Unaddressed<Type>
) => {
  const preimage = signingPreimage(
    separatorOf(audience, chainId),
    hashStruct(structs[type], { ...message, audience })
  )
  return {
    domain: traceStruct(domainStruct, domainOf(audience, chainId)),
    message: traceStruct(structs[type], { ...message, audience }),
    preimage: toHex(preimage),
    digest: toHex(keccak256Bytes(preimage))
  }
}
