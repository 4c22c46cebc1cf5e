import { assert, describe, it } from "vitest"
import { bodyForms } from "../../src/signatures/BodyForms.ts"
import { bombBodies } from "../faults/bombs/Bodies.ts"

const MOST_BYTES = 1024 * 1024
const utf8 = new TextEncoder()

const formsOf = (text: string) => bodyForms(utf8.encode(text))

describe("the forms of a body that may have been signed instead", () => {
  it("are told of ordinary bodies: compact, sorted, indented", () => {
    const body = { b: 1, a: Array.from({ length: 100 }, (_, index) => ({ split: index, to: "0x00" })) }
    const sorted = { a: body.a, b: 1 }
    assert.deepStrictEqual(formsOf(`${JSON.stringify(body)}\n`), [
      JSON.stringify(body),
      JSON.stringify(sorted),
      JSON.stringify(body, null, 2)
    ])
    const transaction = JSON.stringify({ rawSignedTransaction: `0x${"ab".repeat(7_000)}` }, null, 2)
    assert.lengthOf(formsOf(transaction), 1)
  })

  it("are a mebibyte at most, whatever comes", () => {
    for (const bytes of [500, 4_096, 16_384, 65_536, 1_048_576])
      for (const { kind, text } of bombBodies(bytes)) {
        const units = formsOf(text).reduce((sum, form) => sum + form.length, 0)
        assert.isAtMost(2 * units, MOST_BYTES, `${kind} of ${bytes} bytes`)
      }
  })

  it("are none of a body with thousands of leaves under thousands of levels", () => {
    const depth = 2_200
    const leaves = Array.from({ length: 30_000 }, () => "1").join(",")
    assert.deepStrictEqual(formsOf("[".repeat(depth) + leaves + "]".repeat(depth)), [])
  })
})
