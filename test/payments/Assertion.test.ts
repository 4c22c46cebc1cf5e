/** What of an assertion is looked at before any contract: each part of it, altered alone, is named. */
import { randomBytes } from "node:crypto"
import { Either } from "effect"
import type { Hex } from "viem"
import { assert, describe, it } from "vitest"
import { type AssertionFault, checkAssertion, type PaymentAssertion } from "../../src/payments/Assertion.ts"
import {
  type Asserting,
  asserted,
  BACKED_UP,
  ELIGIBLE,
  newPasskey,
  PRESENT,
  VERIFIED
} from "./support/Passkeys.ts"

const passkey = newPasskey()
const digest: Hex = `0x${randomBytes(32).toString("hex")}`
const place = { digest, origin: "https://wallet.example", rpId: "wallet.example" }

const expected = (counter = 0) => ({
  ...place,
  passkey: { ...passkey, owner: `0x${"11".repeat(20)}` as const, counter }
})

const made = (over: Partial<Asserting> = {}) => asserted(passkey, { ...place, ...over })

const faultIn = (assertion: PaymentAssertion, counter = 0): AssertionFault | undefined =>
  Either.match(checkAssertion(assertion, expected(counter)), {
    onLeft: fault => fault,
    onRight: () => undefined
  })

const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

const altered = (bytes: Buffer, at: number): string => {
  const other = Buffer.from(bytes)
  other[at] = (other[at] ?? 0) ^ 1
  return other.toString("base64url")
}

describe("an assertion", () => {
  it("over the digest, by the passkey, of a verified user, on the page is taken, whatever its counter began with", () => {
    assert.isUndefined(faultIn(made().assertion))
    assert.isUndefined(faultIn(made({ counter: 5 }).assertion, 4))
    assert.isUndefined(faultIn(made({ flags: PRESENT | VERIFIED | ELIGIBLE | BACKED_UP }).assertion))
    assert.isUndefined(faultIn(made({ over: { other_keys_can_be_added_here: "x" } }).assertion))
  })

  it("has its s in the lower half once it is checked, as contracts ask for", () => {
    for (let each = 0; each < 16; each++) {
      const { signature } = Either.getOrThrow(checkAssertion(made().assertion, expected()))
      assert.isTrue(BigInt(signature.s) <= ORDER / 2n)
    }
  })

  const others: ReadonlyArray<readonly [AssertionFault, Partial<Asserting>]> = [
    ["challenge", { digest: `0x${randomBytes(32).toString("hex")}` }],
    ["challenge", { over: { challenge: Buffer.from(digest.slice(2), "hex").toString("base64") } }],
    ["type", { type: "webauthn.create" }],
    ["origin", { origin: "https://wallet.example.evil.example" }],
    ["origin", { origin: "http://wallet.example" }],
    ["origin", { over: { crossOrigin: true } }],
    ["origin", { over: { topOrigin: "https://evil.example" } }],
    ["rp-id", { rpId: "example" }],
    ["user-presence", { flags: VERIFIED }],
    ["user-verification", { flags: PRESENT }],
    ["backup", { flags: PRESENT | VERIFIED | BACKED_UP }],
    ["form", { clientData: "[]" }],
    ["form", { clientData: `{"type":"webauthn.get","type":"webauthn.get"}` }],
    ["form", { over: { padding: "x".repeat(600) } }],
    ["form", { over: { challenge: 1 } }]
  ]

  it.each(others)("is refused by its %s: %o", (fault, over) => {
    assert.strictEqual(faultIn(made(over).assertion), fault)
  })

  it("is refused where it stands in the client data in another way than its contract finds", () => {
    const challenge = Buffer.from(digest.slice(2), "hex").toString("base64url")
    const spaced = `{"type": "webauthn.get","challenge": "${challenge}","origin":"${place.origin}"}`
    assert.strictEqual(faultIn(made({ clientData: spaced }).assertion), "form")
  })

  it("is refused of another credential, and by another key", () => {
    const { assertion } = made()
    assert.strictEqual(faultIn({ ...assertion, credentialId: newPasskey().credentialId }), "credential")
    const other = asserted({ ...newPasskey(), credentialId: passkey.credentialId }, place)
    assert.strictEqual(faultIn(other.assertion), "signature")
  })

  it("is refused where it counts no further", () => {
    assert.strictEqual(faultIn(made({ counter: 4 }).assertion, 4), "counter")
    assert.strictEqual(faultIn(made({ counter: 3 }).assertion, 4), "counter")
    assert.strictEqual(faultIn(made({ counter: 0 }).assertion, 4), "counter")
  })

  it("is refused with any bit of what is signed changed", () => {
    const { assertion, clientData, authenticatorData } = made({ over: { extra: "a" } })
    const last = clientData.length - 3
    assert.strictEqual(faultIn({ ...assertion, clientDataJSON: altered(clientData, last) }), "signature")
    assert.strictEqual(
      faultIn({ ...assertion, authenticatorData: altered(authenticatorData, 36) }),
      "signature"
    )
  })

  it("is refused with a signature in any other form", () => {
    const { assertion, signature } = made()
    const given = (bytes: Buffer) => faultIn({ ...assertion, signature: bytes.toString("base64url") })
    assert.strictEqual(given(Buffer.concat([signature, Buffer.of(0)])), "form")
    assert.strictEqual(given(signature.subarray(0, -1)), "form")
    assert.strictEqual(given(Buffer.of(0x30, 0)), "form")
    assert.strictEqual(given(Buffer.of(0x30, 6, 2, 1, 0, 2, 1, 1)), "form")
    assert.strictEqual(given(Buffer.of(0x30, 7, 2, 2, 0, 1, 2, 1, 1)), "form")
    assert.strictEqual(given(Buffer.of(0x30, 6, 2, 1, 0x81, 2, 1, 1)), "form")
    assert.strictEqual(given(randomBytes(70)), "form")
    assert.strictEqual(given(Buffer.of(0x30, 6, 2, 1, 1, 2, 1, 1)), "signature")
  })
})
