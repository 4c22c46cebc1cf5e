/** A key of this tab, forgotten with it: in no storage, in no element, in one closure. */
import { getPublicKey, signAsync, utils } from "@noble/secp256k1"
import { hashTypedData } from "viem"
import type { Signer } from "../../client/Signer.ts"
import { keccak256Bytes } from "../../values/Keccak.ts"
import { fromHex, toHex } from "../../values/TypedDataHash.ts"
import { FailureTold } from "../Failures.ts"

const UNCOMPRESSED = false
const ETHEREUM_V = 27

const addressFrom = (key: Uint8Array): `0x${string}` =>
  toHex(keccak256Bytes(getPublicKey(key, UNCOMPRESSED).slice(1)).slice(12))

const SIGNED_OUT = {
  title: "You were signed out meanwhile",
  advice: "The tab forgot its key before this was done. Do it again: the wallet is asked then.",
  rows: []
}

export interface TabKey {
  readonly signer: Signer
  readonly forget: () => void
}

export const tabKeyOf = (key: Uint8Array): TabKey => {
  if (!utils.isValidPrivateKey(key)) throw new RangeError("these bytes are no key: sign in anew")
  let isForgotten = false
  return {
    signer: {
      address: addressFrom(key),
      signTypedData: async ({ types, domain, primaryType, message }) => {
        if (isForgotten) throw new FailureTold(SIGNED_OUT)
        const members = Object.fromEntries(Object.entries(types).map(([name, given]) => [name, [...given]]))
        const digest = hashTypedData({ types: members, domain, primaryType, message: { ...message } })
        const signature = await signAsync(fromHex(digest), key)
        const bytes = new Uint8Array(65)
        bytes.set(signature.toCompactRawBytes())
        bytes[64] = ETHEREUM_V + signature.recovery
        return toHex(bytes)
      }
    },
    forget: () => {
      isForgotten = true
      key.fill(0)
    }
  }
}
