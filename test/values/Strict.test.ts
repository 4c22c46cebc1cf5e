import { Schema } from "effect"
import { assert, it } from "vitest"
import { emptyObject, strict } from "../../src/values/Strict.ts"

it("a struct takes objects of its members alone, and the empty object nothing but {}", () => {
  const some = strict({ a: Schema.optionalWith(Schema.Number, { exact: true }) })
  for (const schema of [emptyObject, some]) {
    const decode = Schema.decodeUnknownEither<object, object>(schema)
    const takes = (value: unknown) => decode(value)._tag === "Right"
    assert.isTrue(takes({}))
    for (const other of [null, undefined, [], [1], 0, 1, "", "text", true, { b: 1 }])
      assert.isFalse(takes(other), JSON.stringify(other))
  }
})
