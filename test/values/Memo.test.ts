import { describe, expect, it } from "@effect/vitest"
import { memo } from "../../src/values/Memo.ts"

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
  it("forgets the key that was not used for longest", () => {
    const { get, computed } = counted(2)
    for (const key of ["a", "b", "a", "c", "a", "b"]) get(key)
    expect(computed).toEqual(["a", "b", "c", "b"])
  })
})
