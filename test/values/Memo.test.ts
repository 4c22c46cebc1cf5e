import { describe, expect, it } from "@effect/vitest"
import { checksummed } from "../../src/values/Checksum.ts"
import { memo } from "../../src/values/Memo.ts"
import { heldBy } from "../support/Held.ts"

const counted = (limit: number) => {
  const computed: Array<string> = []
  const cache = memo<string>(limit)
  const get = (key: string) =>
    cache(key, () => {
      computed.push(key)
      return key.toUpperCase()
    })
  return { get, computed }
}

describe("memo", () => {
  it("computes a key once while it is known", () => {
    const { get, computed } = counted(2)
    expect([get("a"), get("a"), get("b"), get("a")]).toEqual(["A", "A", "B", "A"])
    expect(computed).toEqual(["a", "b"])
  })
  it("holds no more of a text that a key was cut out of than the key", () => {
    const cache = memo<boolean>(1_000)
    const held = heldBy(() => {
      for (let each = 0; each < 100; each++) cache(`${"ab".repeat(50_000)}${each}`.slice(-42), () => true)
    })
    expect(held).toBeLessThan(1_000_000)
  })
  it("forgets the key that was not used for longest", () => {
    const { get, computed } = counted(2)
    for (const key of ["a", "b", "a", "c", "a", "b"]) get(key)
    expect(computed).toEqual(["a", "b", "c", "b"])
  })
})

describe("the checksums that are kept", () => {
  it("take little more than their digits", () => {
    const count = 1_000
    const held = heldBy(() => {
      for (let each = 0; each < count; each++) checksummed(`0x${String(each).padStart(40, "ab")}`)
    })
    expect(held / count).toBeLessThan(600)
  })
})
