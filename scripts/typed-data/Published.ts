/** What an implementer of another client needs to know of the signed messages. */
import {
  CONSOLE_KEY_DOMAIN,
  CONSOLE_KEY_LABEL,
  consoleKeyMembers,
  consoleKeyPurpose
} from "../../src/values/ConsoleKey.ts"
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

const hashesOf = (given: Readonly<Record<string, ReadonlyArray<TypedDataMember>>>) =>
  Object.fromEntries(Object.entries(given).map(([name, members]) => hashes(name, members)))

const types = { EIP712Domain: domainMembers, ...messageTypes }
const keyTypes = { EIP712Domain: domainMembers, ServiceConsoleKey: consoleKeyMembers }

const DOMAIN = {
  chainId: "the authority chain of the account",
  salt: "keccak256 of the UTF-8 bytes of the audience"
}

export const publishedTypedData = {
  domain: { name: DOMAIN_NAME, version: DOMAIN_VERSION, ...DOMAIN },
  audience: "the public URL of the service without trailing slash, as its capabilities report it",
  types,
  typeHashes: hashesOf(types),
  consoleKey: {
    domain: { ...CONSOLE_KEY_DOMAIN, ...DOMAIN },
    types: keyTypes,
    typeHashes: hashesOf(keyTypes),
    purpose: consoleKeyPurpose("<audience>"),
    saltHash: "keccak256 of the tab's 32 secret random bytes",
    key: `keccak256 of the UTF-8 bytes of "${CONSOLE_KEY_LABEL}", then the 32 secret bytes, then the signature of 65 bytes with v 27 or 28`
  }
}
