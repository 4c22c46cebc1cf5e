import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { exceeds } from "../../src/values/JsonBounds.ts"

const children = (value: unknown): ReadonlyArray<unknown> =>
  typeof value === "object" && value !== null ? Object.values(value) : []

const nodesOf = (value: unknown): number =>
  children(value).reduce<number>((sum, each) => sum + nodesOf(each), 1)

const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...children(value).map(depthOf)) : 0

const isAt = (text: string, depth: number, nodes: number) => {
  assert.isFalse(exceeds(text, { depth, nodes }), text)
  assert.isTrue(exceeds(text, { depth, nodes: nodes - 1 }), text)
  if (depth > 0) assert.isTrue(exceeds(text, { depth: depth - 1, nodes }), text)
}

describe("the bounds of a JSON text", () => {
  it("count what JSON.parse would build, however it is spaced", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, "\t", "\r\n"), (value, space) => {
        const text = JSON.stringify(value, null, space)
        isAt(text, depthOf(value), nodesOf(JSON.parse(text)))
      }),
      { numRuns: 500 }
    )
  })

  it("count nothing within strings, escaped quotation marks included", () => {
    isAt('{"[{,\\"[":"\\\\",",]":["\\\\\\"[,"]}', 2, 4)
  })

  it("count nothing in what is empty", () => {
    isAt("[ ]", 1, 1)
    isAt('[{},[],""]', 2, 4)
  })

  it("are found in what never ends", () => {
    assert.isTrue(exceeds("[".repeat(100), { depth: 32, nodes: 1_000 }))
    assert.isTrue(exceeds(`[${"0,".repeat(100)}`, { depth: 32, nodes: 100 }))
    assert.isFalse(exceeds('"[[[[', { depth: 1, nodes: 1 }))
  })
})
