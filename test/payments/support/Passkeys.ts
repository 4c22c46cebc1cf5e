/** Passkeys held in this process, whose assertions are made as an authenticator makes them, or a little otherwise. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto"
import type { Hex } from "viem"
import type { PaymentAssertion } from "../../../src/payments/Assertion.ts"

export interface HeldPasskey {
  readonly privateKey: KeyObject
  readonly x: Hex
  readonly y: Hex
  readonly credentialId: string
}

const hexOf = (base64url: string | undefined): Hex =>
  `0x${Buffer.from(base64url ?? "", "base64url").toString("hex")}`

export const newPasskey = (): HeldPasskey => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const { x, y } = publicKey.export({ format: "jwk" })
  return { privateKey, x: hexOf(x), y: hexOf(y), credentialId: randomBytes(32).toString("base64url") }
}

const sha256 = (data: Uint8Array | string): Buffer => createHash("sha256").update(data).digest()

export const PRESENT = 0x01
export const VERIFIED = 0x04
export const ELIGIBLE = 0x08
export const BACKED_UP = 0x10

export interface Asserting {
  readonly digest: Hex
  readonly origin: string
  readonly rpId: string
  readonly counter?: number
  readonly flags?: number
  readonly type?: string
  /** Members of the client data beside those that are always there, or in place of them. */
  readonly over?: Readonly<Record<string, unknown>>
  /** Whole, in place of what browsers write. */
  readonly clientData?: string
}

export interface Asserted {
  readonly assertion: PaymentAssertion
  readonly clientData: Buffer
  readonly authenticatorData: Buffer
  /** In DER. */
  readonly signature: Buffer
}

export const asserted = (passkey: HeldPasskey, asserting: Asserting): Asserted => {
  const { digest, origin, rpId, counter = 0, flags = PRESENT | VERIFIED, type = "webauthn.get" } = asserting
  const challenge = Buffer.from(digest.slice(2), "hex").toString("base64url")
  const told = { type, challenge, origin, crossOrigin: false, ...asserting.over }
  const clientData = Buffer.from(asserting.clientData ?? JSON.stringify(told))
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  const authenticatorData = Buffer.concat([sha256(rpId), Buffer.of(flags), count])
  const signature = sign("sha256", Buffer.concat([authenticatorData, sha256(clientData)]), passkey.privateKey)
  const assertion: PaymentAssertion = {
    credentialId: passkey.credentialId,
    clientDataJSON: clientData.toString("base64url"),
    authenticatorData: authenticatorData.toString("base64url"),
    signature: signature.toString("base64url")
  }
  return { assertion, clientData, authenticatorData, signature }
}
