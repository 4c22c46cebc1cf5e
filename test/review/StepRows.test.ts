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

it.each(["unknown", "reorged"] as const)(
  "a step that is %s and whose nonce another has for good holds nothing, and says to look at the wallet",
  state => {
    const semantic = { status: "unknown", reason: "WALLET_NONCE_CONSUMED" } as const
    const lines = linesOf(stepRows({ index: 0, state, blockedBy: [], transaction, semantic }))
    assert.deepStrictEqual(
      lines.filter(line => line.startsWith("holds: ")),
      []
    )
    const [line = ""] = lines.filter(each => each.startsWith("replaced: "))
    for (const part of ["can be mined no more", "look at what the wallet sent"]) assert.include(line, part)
  }
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

const reverted = (revert: NonNullable<NonNullable<Step["semantic"]>["revert"]>) =>
  linesOf(
    stepRows({
      index: 0,
      state: "reverted",
      blockedBy: [],
      semantic: { status: "failed", reason: "the transaction reverted", revert }
    })
  )

const parent = { blockNumber: "7", blockHash: transaction.hash } as const

it("a step that reverted says with what, and that the call was run again to find it", () => {
  const args = [{ name: "message", type: "string", value: "no \u202e more" }]
  assert.deepStrictEqual(
    reverted({ status: "known", ...parent, selector: "0x08c379a0", name: "Error", args }),
    [
      'effects: failed: untrusted "the transaction reverted"',
      'reverts with: Error: message untrusted "no \\u{202E} more", run again at the end of block 7, before the other transactions of its own block'
    ]
  )
})

it("a step that reverted for a reason that nobody knows says why nobody does", () => {
  const [, line] = reverted({ status: "unknown", ...parent, reason: "it did not revert again" })
  assert.include(line, 'unknown: untrusted "it did not revert again", run again at the end of block 7')
})
