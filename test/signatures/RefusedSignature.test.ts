import { describe, expect, it } from "@effect/vitest"
import { refusedSignature } from "../../src/signatures/RefusedSignature.ts"
import { checksummed } from "../../src/values/Checksum.ts"
import { fromHex } from "../../src/values/TypedDataHash.ts"
import { join, sign, signCompact, signParts, testKey } from "./TestKeys.ts"

const key = testKey("refused signature")
const hash = `0x${"5a".repeat(32)}`
const digest = fromHex(hash)

describe("what is told of a signature that was refused", () => {
  it("is whose it is", () => {
    const other = testKey("another")
    expect(refusedSignature(digest, sign(other, digest), key.address)).toStrictEqual({
      digest: hash,
      recovered: checksummed(other.address)
    })
  })

  it("is that its form is not taken, where it is the signer's own", () => {
    const parts = signParts(key, digest)
    for (const form of [join(parts, parts.recoveryId), signCompact(key, digest)])
      expect(refusedSignature(digest, form, checksummed(key.address))).toStrictEqual({
        digest: hash,
        recovered: null,
        likelyCause: "recovery-id-0-1"
      })
  })
})
