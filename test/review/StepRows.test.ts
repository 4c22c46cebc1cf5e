import { assert, it } from "vitest"
import { stepRows } from "../../src/review/StepRows.ts"
import { linesOf } from "./support/Reviews.ts"

it("an attempt that nobody answered is not told as sent", () => {
  const dispatch = { status: "in-flight", hash: `0x${"11".repeat(32)}`, reservedAt: 1 } as const
  const linesAfter = (count: number) =>
    linesOf(stepRows({ index: 0, state: "reserved", blockedBy: [], dispatch: { ...dispatch, count } }))
  assert.deepStrictEqual(linesAfter(1), ["dispatch: in-flight, 1 attempt"])
  assert.deepStrictEqual(linesAfter(2), ["dispatch: in-flight, 2 attempts"])
})
