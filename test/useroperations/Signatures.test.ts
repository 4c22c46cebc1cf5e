/** Envelopes that a wallet's owners did not make, in the one form that is taken, of what was prepared. */
import { createHash } from "node:crypto"
import { Effect, Either } from "effect"
import { assert, describe, it } from "vitest"
import { type SignableOperation, signedOperation } from "../../src/useroperations/OperationSignatures.ts"
import { canonicalJson } from "../../src/values/CanonicalJson.ts"
import { ownerEnvelope } from "../../src/values/OwnerEnvelope.ts"
import type { Hex } from "../../src/values/Scalars.ts"
import { fromHex, toHex } from "../../src/values/TypedDataHash.ts"
import { sign, signCompact, signHighS, signParts, testKey } from "../signatures/TestKeys.ts"
import { published } from "../smartaccounts/support/Vectors.ts"

const [vector = assert.fail("no vectors")] = published.operation.vectors
const { validAfter, validUntil, digest } = vector.owners
const keys = [1, 2, 3]
  .map(number => testKey(`execution vector owner ${number}`))
  .sort((a, b) => (a.address < b.address ? -1 : 1))
const [first = assert.fail(), second = assert.fail(), third = assert.fail()] = keys
const former = testKey("former owner")
const { signature: _, ...operation } = { ...vector.operation, signature: "0x" }

const prepared: SignableOperation = {
  chainId: published.chainId,
  entryPoint: published.contracts.entryPoint,
  operation: { ...operation, signature: "0x" },
  signing: {
    validAfter,
    validUntil,
    digest,
    threshold: 2,
    owners: published.keys.flatMap(({ label, address }) => (label.includes("owner") ? [address] : []))
  }
}

const told = (envelope: Hex) => Effect.runSync(Effect.either(signedOperation(prepared, envelope)))

const prefixed = (...parts: ReadonlyArray<Hex>): Hex =>
  `${ownerEnvelope({ validAfter, validUntil }, [])}${parts.map(part => part.slice(2)).join("")}`

const digestBytes = fromHex(digest)
const signed = (key: typeof first): Hex => sign(key, digestBytes)

/** As a Safe takes the word of an owner who approved the hash on the chain, and of a contract. */
const inWord = (address: string, v: string): Hex =>
  `0x${address.slice(2).padStart(64, "0")}${"00".repeat(32)}${v}`

const atTimes = (over: Partial<typeof prepared.signing>, ...parts: ReadonlyArray<Hex>): Hex =>
  `0x${ownerEnvelope({ ...prepared.signing, ...over }, []).slice(2)}${parts.map(part => part.slice(2)).join("")}`

const oneOf = (compact: Uint8Array, v: number): Hex => toHex(Uint8Array.of(...compact, v))

const bare = signParts(second, digestBytes)
const good = prefixed(signed(first), signed(second))

it("the owners' envelope is taken, in either case, and committed to as it leaves", () => {
  const { operation: whole, commitment } = Either.getOrThrow(told(`0x${good.slice(2).toUpperCase()}`))
  assert.equal(whole.signature, good)
  const { chainId, entryPoint } = prepared
  const text = canonicalJson({ chainId, entryPoint, operation: whole })
  assert.equal(commitment, `0x${createHash("sha256").update(text).digest("hex")}`)
})

const FORGED: ReadonlyArray<
  readonly [what: string, envelope: Hex, code: string, context: Readonly<Record<string, unknown>>]
> = [
  ["nothing", "0x", "INVALID_ENVELOPE", { fault: "length" }],
  ["too few signatures", prefixed(signed(first)), "INVALID_ENVELOPE", { fault: "length" }],
  [
    "too many signatures",
    prefixed(signed(first), signed(second), signed(third)),
    "INVALID_ENVELOPE",
    { fault: "length" }
  ],
  ["a byte too many", `${good}00`, "INVALID_ENVELOPE", { fault: "length" }],
  ["a byte too few", `0x${good.slice(2, -2)}`, "INVALID_ENVELOPE", { fault: "length" }],
  [
    "an earlier beginning",
    atTimes({ validAfter: validAfter - 1 }, signed(first), signed(second)),
    "INVALID_ENVELOPE",
    { fault: "prefix" }
  ],
  [
    "a later end",
    atTimes({ validUntil: validUntil + 1 }, signed(first), signed(second)),
    "INVALID_ENVELOPE",
    { fault: "prefix" }
  ],
  [
    "descending signers",
    prefixed(signed(second), signed(first)),
    "INVALID_OWNER_SIGNATURES",
    { fault: "order", position: 1 }
  ],
  [
    "one signer twice",
    prefixed(signed(first), signed(first)),
    "INVALID_OWNER_SIGNATURES",
    { fault: "order", position: 1 }
  ],
  [
    "a high s",
    prefixed(signHighS(first, digestBytes), signed(second)),
    "INVALID_OWNER_SIGNATURES",
    { fault: "form", position: 0 }
  ],
  [
    "v of 0 or 1",
    prefixed(signed(first), oneOf(bare.compact, bare.recoveryId)),
    "INVALID_OWNER_SIGNATURES",
    { fault: "form", position: 1 }
  ],
  [
    "v of eth_sign",
    prefixed(signed(first), oneOf(bare.compact, 31 + bare.recoveryId)),
    "INVALID_OWNER_SIGNATURES",
    { fault: "form", position: 1 }
  ],
  [
    "the form of EIP-2098",
    prefixed(signed(first), signCompact(second, digestBytes)),
    "INVALID_ENVELOPE",
    { fault: "length" }
  ],
  [
    "an approved hash",
    prefixed(signed(first), inWord(second.address, "01")),
    "INVALID_OWNER_SIGNATURES",
    { fault: "form", position: 1 }
  ],
  [
    "a contract's word",
    prefixed(signed(first), inWord(second.address, "00")),
    "INVALID_OWNER_SIGNATURES",
    { fault: "form", position: 1 }
  ],
  [
    "a former owner's signature",
    prefixed(signed(first), signed(former)),
    "OWNER_SIGNATURES_MISMATCH",
    { fault: "owner", position: 1 }
  ],
  [
    "signatures of the operation's hash",
    prefixed(sign(first, fromHex(vector.hash)), sign(second, fromHex(vector.hash))),
    "OWNER_SIGNATURES_MISMATCH",
    { fault: "owner", position: 0 }
  ]
]

describe("an envelope is refused with", () => {
  it.each(FORGED)("%s", (_, envelope, code, context) => {
    const refused = Either.getOrThrow(Either.flip(told(envelope)))
    assert.equal(refused._tag, code)
    assert.deepEqual(refused.context, context)
  })
})
