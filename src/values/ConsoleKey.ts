/** What the owner's wallet signs so that a tab of the console has a key, and how the key follows from it and from the tab's secret. */
import { keccak256, keccak256Bytes, keccak256Utf8 } from "./Keccak.ts"
import type { Bytes32 } from "./Scalars.ts"
import { type Domain, domainMembers } from "./TypedData.ts"
import { fromHex } from "./TypedDataHash.ts"

export const CONSOLE_KEY_DOMAIN = { name: "Service Console Key", version: "1" } as const

/** Before the tab's salt and the signature in what is hashed to the key. */
export const CONSOLE_KEY_LABEL = "Service Console Key 1"

export const consoleKeyMembers = [
  { name: "purpose", type: "string" },
  { name: "audience", type: "string" },
  { name: "accountId", type: "string" },
  { name: "saltHash", type: "bytes32" }
] as const

export const consoleKeyPurpose = (audience: string): string =>
  `Make the key of one browser tab at ${audience}/console. This sends nothing, approves nothing and gives no rights. Only that site has the secret that belongs to it: if any other site asks you for this signature, decline.`

const SALT = 32
const SHORTEST_SIGNATURE = 65

interface KeyOwner {
  readonly audience: string
  readonly accountId: string
  /** The account's authority chain. */
  readonly chainId: number
}

const domainOf = ({ audience, chainId }: KeyOwner): Domain => ({
  ...CONSOLE_KEY_DOMAIN,
  chainId,
  salt: keccak256Utf8(audience)
})

/** For a wallet's `eth_signTypedData_v4`; it names the salt by its hash alone. */
export const consoleKeyTypedData = (owner: KeyOwner, salt: Bytes32) => ({
  types: { EIP712Domain: domainMembers, ServiceConsoleKey: consoleKeyMembers },
  primaryType: "ServiceConsoleKey" as const,
  domain: domainOf(owner),
  message: {
    purpose: consoleKeyPurpose(owner.audience),
    audience: owner.audience,
    accountId: owner.accountId,
    saltHash: keccak256(fromHex(salt))
  }
})

const label = new TextEncoder().encode(CONSOLE_KEY_LABEL)

/** `keccak256(label ‖ salt ‖ signature)`; a signature that is none would leave the salt alone to make it. */
export const consoleKeyFrom = (salt: Bytes32, signature: string): Uint8Array => {
  const signed = fromHex(signature)
  if (signed.length < SHORTEST_SIGNATURE) throw new RangeError("the wallet gave no signature")
  const made = new Uint8Array(label.length + SALT + signed.length)
  made.set(label)
  made.set(fromHex(salt), label.length)
  made.set(signed, label.length + SALT)
  return keccak256Bytes(made)
}
