import { hashMessage } from "viem"
import { botProofDigest, fromHex } from "../../src/values/TypedDataHash.ts"
import { join, sign, signCompact, signHighS, signParts } from "../../test/signatures/TestKeys.ts"
import { refused } from "./Request.ts"
import { AUDIENCE, bot, CHAIN, type Hex, owner, word } from "./Vector.ts"

const unsigned = refused("INVALID_SIGNATURE")
const malformed = refused("INVALID_AUTH")

const parts = (digest: Uint8Array) => signParts(owner, digest)
const withV = (v: (recoveryId: number) => number) => ({
  sign: (digest: Uint8Array) => join(parts(digest), v(parts(digest).recoveryId))
})
const replaced = (edit: (signature: Hex) => Hex) => ({
  sign: (digest: Uint8Array) => edit(sign(owner, digest))
})

const ORDER = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"

const nonceWith = (recoveryId: number) => {
  const nonces = Array.from(
    { length: 64 },
    (_, count): Hex => word((count + 1).toString(16).padStart(2, "0"))
  )
  const nonce = nonces.find(nonce => {
    const { digest } = unsigned("", "", { change: { nonce } }).trace
    return signParts(owner, fromHex(digest)).recoveryId === recoveryId
  })
  return { change: { nonce: nonce ?? word("00") } }
}

export const refusedForms = [
  unsigned(
    "v-0",
    "Recovery id 0 instead of v 27.",
    { ...nonceWith(0), ...withV(id => id) },
    "recovery-id-0-1"
  ),
  unsigned(
    "v-1",
    "Recovery id 1 instead of v 28.",
    { ...nonceWith(1), ...withV(id => id) },
    "recovery-id-0-1"
  ),
  unsigned(
    "eip-2098-0",
    "Compact form, recovery id 0.",
    { ...nonceWith(0), sign: digest => signCompact(owner, digest) },
    "recovery-id-0-1"
  ),
  unsigned(
    "eip-2098-1",
    "Compact form, recovery id 1.",
    { ...nonceWith(1), sign: digest => signCompact(owner, digest) },
    "recovery-id-0-1"
  ),
  unsigned(
    "v-flipped",
    "The other v names another key.",
    withV(id => 28 - id)
  ),
  unsigned(
    "v-29",
    "v of a point beyond the order.",
    withV(id => 29 + id)
  ),
  unsigned(
    "v-eip-155",
    "v of a transaction.",
    withV(id => 35 + ((2 * CHAIN) % 200) + id)
  ),
  unsigned("high-s", "The mirrored signature of the same key.", { sign: digest => signHighS(owner, digest) }),
  unsigned(
    "63-bytes",
    "Too short.",
    replaced(signature => `0x${signature.slice(2, 128)}`)
  ),
  unsigned(
    "66-bytes",
    "A byte too many.",
    replaced(signature => `${signature}00`)
  ),
  unsigned("one-byte", "One byte is well formed and no signature.", { sign: () => "0x1b" }),
  unsigned(
    "r-zero",
    "r out of range.",
    replaced(signature => `0x${"0".repeat(64)}${signature.slice(66)}`)
  ),
  unsigned(
    "s-zero",
    "s out of range.",
    replaced(signature => `0x${signature.slice(2, 66)}${"0".repeat(64)}1b`)
  ),
  unsigned(
    "r-order",
    "r equal to the order.",
    replaced(signature => `0x${ORDER}${signature.slice(66)}`)
  ),
  unsigned(
    "s-order",
    "s equal to the order.",
    replaced(signature => `0x${signature.slice(2, 66)}${ORDER}1b`)
  ),
  unsigned(
    "swapped",
    "s before r.",
    replaced(signature => `0x${signature.slice(66, 130)}${signature.slice(2, 66)}${signature.slice(130)}`)
  ),
  unsigned("eip-191", "The digest signed as a personal message.", {
    sign: digest => sign(owner, fromHex(hashMessage({ raw: digest })))
  }),
  unsigned(
    "erc-6492",
    "A wrapper for a wallet that is not deployed.",
    replaced(signature => `0x${signature.slice(2)}${"6492".repeat(16)}`)
  ),
  unsigned("other-type", "The signature of a bot proof with the same nonce.", {
    key: bot,
    sign: (_, { accountId, signer, expiresAt, nonce }) =>
      sign(
        bot,
        botProofDigest(AUDIENCE, CHAIN, {
          accountId,
          botAddress: signer,
          scopes: ["read"],
          expiresAt,
          label: "",
          ownerRequestNonce: nonce
        })
      )
  }),
  malformed("signature-empty", "No byte of signature.", { sign: () => "0x" }),
  malformed(
    "signature-odd",
    "Half a byte.",
    replaced(signature => `${signature}0`)
  ),
  malformed("signature-8193", "Longer than any signature may be.", { sign: () => `0x${"00".repeat(8193)}` }),
  malformed("nonce-upper-case", "A nonce is written in lower case, although its bytes are the same.", {
    change: { nonce: `0x${"5E".repeat(32)}` }
  })
]
