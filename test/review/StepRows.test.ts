import { assert, it } from "vitest"
import type { Step } from "../../src/plans/Plan.ts"
import { stepRows } from "../../src/review/StepRows.ts"
import { linesOf } from "./support/Reviews.ts"

const transaction = {
  hash: `0x${"11".repeat(32)}`,
  sender: "0x0000000000000000000000000000000000000001",
  chainId: 1,
  nonce: "7",
  type: "eip1559",
  gas: "1",
  maximumFeePerGas: "1",
  maximumCost: "1",
  costScope: ""
} as const

const holdsOf = (state: Step["state"]) =>
  linesOf(stepRows({ index: 0, state, blockedBy: [], transaction })).filter(line =>
    line.startsWith("holds: ")
  )

it.each(["submitted", "unknown", "reorged"] as const)(
  "a step that is %s and in no block says which nonce it holds and what frees it",
  state => {
    const [line = "", ...more] = holdsOf(state)
    assert.deepStrictEqual(more, [])
    for (const part of ["nonce 7", "these very bytes", "whatever the plan's age", "on another transaction"])
      assert.include(line, part)
  }
)

it.each(["confirming", "confirmed", "reverted"] as const)("a step that is %s holds up nothing", state =>
  assert.deepStrictEqual(holdsOf(state), [])
)

it("an attempt that lives says how long nothing more is sent", () => {
  const dispatch = {
    status: "in-flight",
    hash: transaction.hash,
    count: 1,
    reservedAt: 1,
    retryAfterMs: 1_001
  } as const
  const lines = linesOf(stepRows({ index: 0, state: "reorged", blockedBy: [], dispatch }))
  assert.deepStrictEqual(lines, ["dispatch: in-flight, 1 attempt, nothing more is sent for 2 s"])
})

it("an attempt that nobody answered is not told as sent", () => {
  const dispatch = { status: "in-flight", hash: `0x${"11".repeat(32)}`, reservedAt: 1 } as const
  const linesAfter = (count: number) =>
    linesOf(stepRows({ index: 0, state: "reserved", blockedBy: [], dispatch: { ...dispatch, count } }))
  assert.deepStrictEqual(linesAfter(1), ["dispatch: in-flight, 1 attempt"])
  assert.deepStrictEqual(linesAfter(2), ["dispatch: in-flight, 2 attempts"])
})
