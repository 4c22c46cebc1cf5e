/** What an implementer of another client needs to know of the signed messages. */
import { keccak256Utf8 } from "../../src/values/Keccak.ts"
import {
  DOMAIN_NAME,
  DOMAIN_VERSION,
  domainMembers,
  encodeType,
  messageTypes,
  type TypedDataMember
} from "../../src/values/TypedData.ts"

const hashes = (name: string, members: ReadonlyArray<TypedDataMember>) => {
  const encodedType = encodeType(name, members)
  return [name, { encodedType, typeHash: keccak256Utf8(encodedType) }] as const
}

const types = { EIP712Domain: domainMembers, ...messageTypes }

export const publishedTypedData = {
  domain: {
    name: DOMAIN_NAME,
    version: DOMAIN_VERSION,
    chainId: "the authority chain of the account",
    salt: "keccak256 of the UTF-8 bytes of the audience"
  },
  audience: "the public URL of the service without trailing slash, as its capabilities report it",
  types,
  typeHashes: Object.fromEntries(Object.entries(types).map(([name, members]) => hashes(name, members)))
}
