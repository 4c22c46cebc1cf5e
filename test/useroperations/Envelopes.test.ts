/** The field in which a wallet's owners sign an operation, against the published ones. */
import { Either } from "effect"
import { concatHex, encodePacked, type Hex } from "viem"
import { assert, describe, it } from "vitest"
import { envelopedSignatures, ownerEnvelope, packSignatures } from "../../src/values/OwnerEnvelope.ts"
import { published } from "../smartaccounts/support/Vectors.ts"

const [{ owners } = assert.fail("no vectors")] = published.operation.vectors
const { validAfter, validUntil, signatures, envelope } = owners
const validity = { validAfter, validUntil }
const packed = concatHex(signatures.map(({ signature }) => signature))

describe("an owners' envelope", () => {
  it.each(published.operation.vectors)("of $name is as published, whoever signed first", ({ owners }) => {
    for (const parts of [owners.signatures, [...owners.signatures].reverse()])
      assert.equal(ownerEnvelope(validity, parts), owners.envelope)
  })

  it("gives back the signatures of its times", () => {
    assert.deepEqual(envelopedSignatures(envelope, validity, 2), Either.right(packed))
    assert.equal(packSignatures([...signatures].reverse()), packed)
  })

  const refused: ReadonlyArray<readonly [string, Hex, "length" | "prefix"]> = [
    ["short", `0x${envelope.slice(4)}`, "length"],
    ["long", `${envelope}00`, "length"],
    ["empty", "0x", "length"],
    ["of one owner", `0x${envelope.slice(2, -130)}`, "length"],
    ["valid earlier", concatHex([encodePacked(["uint48", "uint48"], [0, validUntil]), packed]), "prefix"],
    ["valid longer", concatHex([encodePacked(["uint48", "uint48"], [validAfter, 0]), packed]), "prefix"]
  ]

  it.each(refused)("is refused: %s", (_, given, fault) => {
    assert.deepEqual(envelopedSignatures(given, validity, 2), Either.left(fault))
  })

  it("has times of 48 bits", () => {
    for (const time of [-1, 0.5, 2 ** 48]) {
      assert.throws(() => ownerEnvelope({ validAfter: time, validUntil }, signatures), RangeError)
      assert.throws(() => envelopedSignatures(envelope, { validAfter, validUntil: time }, 2), RangeError)
    }
  })
})
