import { assert, describe, it } from "@effect/vitest"
import { AbiCoder, dataSlice, getBytes, hexlify, id } from "ethers"
import fc from "fast-check"
import { metadataOf } from "../../src/protocol/MetadataEntry.ts"
import type { Address, Hex } from "../../src/values/Scalars.ts"

const coder = AbiCoder.defaultAbiCoder()
const TARGET: Address = "0xf4A5887170e4d7EFB1c874aD88FC82eBf076B5Ab"
const WORD = 32

const xor = (a: string, b: string) => {
  const right = getBytes(b)
  return hexlify(getBytes(a).map((byte, index) => byte ^ (right[index] ?? 0)))
}

/** Walks the table as the contract does: five bytes an entry, ended by a zero. */
const valueOf = (metadata: string, wanted: string) => {
  const offsetAt = (at: number) => Number(dataSlice(metadata, at + 4, at + 5))
  const first = offsetAt(WORD)
  for (let at = WORD; at < first * WORD && offsetAt(at) !== 0; at += 5) {
    if (dataSlice(metadata, at, at + 4) === wanted) return dataSlice(metadata, offsetAt(at) * WORD)
  }
  return undefined
}

const bytes = (text: string): Hex => `0x${text.slice(2)}`

describe("metadata of one entry", () => {
  it("is found by its purpose and target alone", () => {
    const purposes = fc.constantFrom("pay" as const, "cashOut" as const)
    const targets = fc
      .uint8Array({ minLength: 20, maxLength: 20 })
      .map((raw): Address => `0x${Buffer.from(raw).toString("hex")}`)
    fc.assert(
      fc.property(
        purposes,
        targets,
        fc.array(fc.nat(65_535), { maxLength: 32 }),
        (purpose, target, tiers) => {
          const value = bytes(coder.encode(["bool", "uint16[]"], [true, tiers]))
          const metadata = metadataOf({ purpose, target }, value)
          const wanted = dataSlice(xor(target, dataSlice(id(purpose), 0, 20)), 0, 4)
          assert.strictEqual(valueOf(metadata, wanted), value)
          assert.isUndefined(valueOf(metadata, xor(wanted, "0x00000001")))
        }
      )
    )
  })

  it("has whole words, with the first one free", () => {
    const metadata = metadataOf({ purpose: "pay", target: TARGET }, `0x${"11".repeat(33)}`)
    assert.strictEqual(metadata.length, 2 + 4 * 64)
    assert.match(metadata, /^0x0{64}[0-9a-f]{8}020{54}(?:11){33}0{62}$/)
  })
})
