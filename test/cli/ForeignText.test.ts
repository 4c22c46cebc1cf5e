import { assert, describe, it } from "vitest"
import { foreign } from "../../src/cli/ForeignText.ts"
import { readable } from "../../src/cli/Readable.ts"
import { namedValues } from "../../src/cli/Values.ts"

const HOSTILE = "paid\u001b[2J\nstatus  confirmed\u202e"
const ESCAPED = "paid\\u{1B}[2J\\u{A}status  confirmed\\u{202E}"

describe("text that others wrote", () => {
  it("stays as it is where every character of it shows", () => {
    for (const text of ["", "pay 1 ETH", "Grüße, 世界"]) assert.strictEqual(foreign(text), text)
    assert.strictEqual(foreign("x".repeat(50), 44), `${"x".repeat(44)}…`)
  })

  it("is quoted and escaped where it could move the cursor or hide something", () => {
    assert.strictEqual(foreign(HOSTILE), `"${ESCAPED}"`)
    assert.strictEqual(foreign('"\u0007'), '"\\"\\u{7}"')
  })

  it("breaks no line of an answer, as a value or as a name", () => {
    const text = readable({ memo: HOSTILE, [HOSTILE]: 1, rows: [{ name: HOSTILE }, { name: "b" }] })
    assert.notMatch(text, /[\u001b\u202e]/)
    assert.deepStrictEqual(
      text.split("\n").filter(line => line.startsWith("status")),
      []
    )
    assert.include(text, ESCAPED)
  })

  it("breaks no line of what a contract gave", () => {
    assert.strictEqual(namedValues([{ name: "uri", type: "string" }], [HOSTILE]), `uri: "${ESCAPED}"`)
  })
})
