import { assert, describe, it } from "vitest"
import { lasting, lastingJson } from "../../src/values/Conforms.ts"

const rows = [{ id: "a", none: undefined, nested: { list: [1, null, undefined] } }, { id: '"\u2028\\' }].map(
  row => lasting(row)
)

describe("the text of lasting values", () => {
  it("is what JSON.stringify writes, the first and every later time", () => {
    const values = [
      {
        items: rows,
        first: rows[0],
        total: 2,
        next: null,
        gone: undefined,
        list: [rows[1], undefined, "x"],
        'a"b': 1
      },
      { items: [] },
      {},
      rows,
      [1],
      "text",
      null,
      { at: new Date(0) }
    ]
    for (const value of [...values, ...values]) assert.strictEqual(lastingJson(value), JSON.stringify(value))
  })

  it("is kept, so that a change of what was said to last is not seen", () => {
    const row = lasting({ count: 1 })
    assert.strictEqual(lastingJson({ row }), '{"row":{"count":1}}')
    row.count = 2
    assert.strictEqual(lastingJson({ row, other: { count: 2 } }), '{"row":{"count":1},"other":{"count":2}}')
  })
})
