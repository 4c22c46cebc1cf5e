import { describe, expect, it } from "@effect/vitest"
import { recoverAddress as recoverByEthers, Signature } from "ethers"
import fc from "fast-check"
import {
  addressRecovery,
  linesOf,
  nativeKeyRecovery,
  recover,
  recoverRefusedForm,
  wasmKeyRecovery
} from "../../src/signatures/Recover.ts"
import { fromHex, toHex } from "../../src/values/TypedDataHash.ts"
import { join, sign, signCompact, signHighS, signParts, testKey } from "./TestKeys.ts"

const digests = fc.uint8Array({ minLength: 32, maxLength: 32 })
const key = testKey("recover")
const fixedDigest = fromHex(`0x${"5a".repeat(32)}`)

const ORDER = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
const HALF_ORDER = "7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0"
const ABOVE_HALF = "7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a1"
const ONE = "1".padStart(64, "0")
const ZERO = "0".repeat(64)
/** The x of the generator: a point surely on the curve. */
const GX = "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"

describe("recover", () => {
  it("names the signer, in lower case", () =>
    fc.assert(
      fc.property(digests, fc.string({ minLength: 1 }), (digest, label) => {
        const signer = testKey(label)
        const signature = sign(signer, digest)
        expect(recover(digest, signature)).toBe(signer.address)
        expect(recoverByEthers(digest, signature).toLowerCase()).toBe(signer.address)
      }),
      { numRuns: 100 }
    ))

  it("takes upper-case hexadecimal", () => {
    const signature = sign(key, fixedDigest)
    expect(recover(fixedDigest, `0x${signature.slice(2).toUpperCase()}`)).toBe(key.address)
  })

  const { compact, recoveryId } = signParts(key, fixedDigest)
  const parts = { compact, recoveryId }
  const good = join(parts, 27 + recoveryId)
  const allV = Array.from({ length: 256 }, (_, v) => v).filter(v => v !== 27 && v !== 28)
  it("takes no v but 27 and 28", () => {
    for (const v of allV) expect(recover(fixedDigest, join(parts, v)), String(v)).toBeUndefined()
  })

  it("takes no length but 65 bytes", () => {
    const all = good.slice(2).repeat(3)
    for (let length = 0; length <= 195; length++) {
      if (length === 65) continue
      expect(recover(fixedDigest, `0x${all.slice(0, 2 * length)}`), String(length)).toBeUndefined()
    }
    expect(recover(fixedDigest, good.slice(0, -1))).toBeUndefined()
    expect(recover(fixedDigest, `${good}0`)).toBeUndefined()
  })

  it.each([
    "",
    "0x",
    good.slice(2),
    `0X${good.slice(2)}`,
    good.replace(/.{10}$/, "zzzzzzzzzz"),
    ` ${good.slice(1)}`
  ])("%s is no signature", text => {
    expect(recover(fixedDigest, text)).toBeUndefined()
  })

  it("refuses the mirrored signature, which the curve itself would take", () => {
    const mirrored = signHighS(key, fixedDigest)
    expect(Signature.from(good).s).not.toBe(`0x${mirrored.slice(66, 130)}`)
    expect(recover(fixedDigest, mirrored)).toBeUndefined()
    const native = fromHex(mirrored)
    return nativeKeyRecovery().then(recovery => {
      expect(
        recovery?.recoverKey(native.subarray(0, 64), recoveryId === 0 ? 1 : 0, fixedDigest)
      ).toBeDefined()
    })
  })

  it.each([
    ["r zero", ZERO, ONE, false],
    ["s zero", GX, ZERO, false],
    ["r at the order", ORDER, ONE, false],
    ["r beyond the order", "f".repeat(64), ONE, false],
    ["s at half the order", GX, HALF_ORDER, true],
    ["s above half the order", GX, ABOVE_HALF, false],
    ["s beyond the order", GX, "f".repeat(64), false],
    ["s one", GX, ONE, true]
  ])("%s", (_, r, s, accepted) => {
    expect(recover(fixedDigest, `0x${r}${s}1b`) !== undefined).toBe(accepted)
  })

  it("no single flipped bit of a signature or digest still names the signer", () => {
    const rounds = 6
    for (let round = 0; round < rounds; round++) {
      const digest = fixedDigest.map(byte => byte ^ round)
      const signature = fromHex(sign(key, digest))
      for (let bit = 0; bit < 8 * (65 + 32); bit++) {
        const mutated = { signature: signature.slice(), digest: digest.slice() }
        const [bytes, at] = bit < 520 ? [mutated.signature, bit] : [mutated.digest, bit - 520]
        bytes[at >> 3] = (bytes[at >> 3] ?? 0) ^ (1 << (at & 7))
        expect(recover(mutated.digest, toHex(mutated.signature)), `bit ${bit}`).not.toBe(key.address)
      }
    }
  })
})

describe("refused forms are recognised for advice", () => {
  it("v 0 or 1, and EIP-2098, by either recovery id", () =>
    fc.assert(
      fc.property(digests, digest => {
        const parts = signParts(key, digest)
        for (const form of [join(parts, parts.recoveryId), signCompact(key, digest)]) {
          expect(recover(digest, form)).toBeUndefined()
          expect(recoverRefusedForm(digest, form)).toBe(key.address)
        }
      }),
      { numRuns: 50 }
    ))

  it("nothing else is", () => {
    const parts = signParts(key, fixedDigest)
    for (const form of [sign(key, fixedDigest), join(parts, 35), signHighS(key, fixedDigest), "0x", "0x00"])
      expect(recoverRefusedForm(fixedDigest, form)).toBeUndefined()
  })
})

describe("the native and the WebAssembly build", () => {
  it("give the same answer to every input", async () => {
    const native = await nativeKeyRecovery()
    const wasm = await wasmKeyRecovery()
    expect(native?.engine).toBe("native")
    if (native === undefined) return
    const [byNative, byWasm] = [addressRecovery(native), addressRecovery(wasm)]
    const arbitrary = fc.record({
      digest: digests,
      compact: fc.uint8Array({ minLength: 64, maxLength: 64 }),
      recoveryId: fc.constantFrom<0 | 1>(0, 1),
      label: fc.option(fc.string({ minLength: 1, maxLength: 5 }))
    })
    fc.assert(
      fc.property(arbitrary, ({ digest, compact, recoveryId, label }) => {
        const signature = label === null ? compact : signParts(testKey(label), digest).compact
        expect(byNative(digest, signature, recoveryId)).toBe(byWasm(digest, signature, recoveryId))
      }),
      { numRuns: 500 }
    )
  })

  it("the native build is left aside where it cannot load", async () => {
    expect(await nativeKeyRecovery(() => Promise.resolve(undefined))).toBeUndefined()
    expect(linesOf("wasm")).toHaveLength(1)
    expect(linesOf("native")).toEqual([])
  })
})
