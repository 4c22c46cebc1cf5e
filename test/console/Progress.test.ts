import { assert, describe, it } from "vitest"
import { progressOf } from "../../src/console/ProgressWords.ts"
import type { Step } from "../../src/plans/Plan.ts"

const HASH = `0x${"ab".repeat(32)}` as const

const receipt = {
  transactionHash: HASH,
  blockHash: HASH,
  blockNumber: "7",
  status: "success",
  confirmations: 1,
  finality: "latest",
  canonical: true,
  observedAt: 0,
  logs: [],
  logCount: 0,
  logsHash: HASH,
  logsStored: false
} as const

const transaction = {
  hash: HASH,
  sender: "0x00000000000000000000000000000000000000AA",
  chainId: 1,
  nonce: "0",
  type: "eip1559",
  gas: "1",
  maximumFeePerGas: "1",
  maximumCost: "1",
  costScope: ""
} as const

const step = (over: Partial<Step>): Step => ({
  index: 0,
  state: "submitted",
  blockedBy: [],
  transaction,
  ...over
})

const said = (over: Partial<Step>, look?: Parameters<typeof progressOf>[0]["look"]): ReadonlyArray<string> =>
  progressOf({ step: step(over), needed: 3, look, isUnbound: false }).map(({ words }) => words)

describe("the progress of a step", () => {
  it("is sent, seen, counted, confirmed and judged", () => {
    assert.deepStrictEqual(said({}), ["Sent.", "Not in a block yet."])
    assert.deepStrictEqual(said({ receipt }), [
      "Sent.",
      "Seen by the chain in block 7.",
      "1 of 3 confirmations so far."
    ])
    const semantic = { status: "verified" } as const
    assert.deepStrictEqual(
      said({ state: "confirmed", semantic, receipt: { ...receipt, confirmations: 9 } }),
      [
        "Sent.",
        "Seen by the chain in block 7.",
        "Confirmed: 3 of 3 confirmations.",
        "Effects verified: the chain did what the plan says."
      ]
    )
  })

  it("says why effects failed or are unknown, and with what a call reverted", () => {
    const unknown = { status: "unknown", reason: "no log\u202e" } as const
    assert.include(
      said({ state: "confirmed", receipt, semantic: unknown }),
      "Effects unknown so far: no log\\u{202E}."
    )
    const semantic = {
      status: "failed",
      revert: { status: "known", blockNumber: "6", blockHash: HASH, selector: "0x01020304", name: "Paused" }
    } as const
    const reverted = said({ state: "reverted", receipt: { ...receipt, status: "reverted" }, semantic })
    assert.include(reverted.at(-1), "Reverted: run again, the call says Paused.")
  })

  it("counts on while a block in which the step reverted may still leave the chain", () => {
    const back = { ...receipt, status: "reverted" } as const
    assert.deepStrictEqual(said({ state: "confirming", receipt: back }).slice(1), [
      "Seen by the chain in block 7.",
      "Reverted there: 1 of 3 confirmations so far."
    ])
    const look = { status: "reverted", blockNumber: 5n, confirmations: 2 } as const
    assert.strictEqual(
      said({}, look).at(-1),
      "Reverted there: 2 of 3 confirmations so far, says the wallet's node."
    )
    assert.strictEqual(said({}, { ...look, confirmations: 3 }).at(-1), "Reverted, says the wallet's node.")
  })

  it("says where a block left the chain, and what only the wallet's node saw", () => {
    assert.match(
      said({ state: "reorged", receipt: { ...receipt, canonical: false } }).at(-1) ?? "",
      /no longer part/
    )
    const look = { status: "success", blockNumber: 5n, confirmations: 2 } as const
    assert.deepStrictEqual(said({}, look).slice(1), [
      "Seen by the wallet's node in block 5.",
      "2 of 3 confirmations so far, says the wallet's node."
    ])
    const back = { ...receipt, status: "reverted", canonical: false } as const
    assert.deepStrictEqual(said({ state: "reorged", receipt: back }).slice(1), [
      "Its block is no longer part of the chain; it may come back in another one."
    ])
    const semantic = { status: "unknown", reason: "WALLET_NONCE_CONSUMED" } as const
    assert.deepStrictEqual(said({ state: "unknown", semantic }), [
      "Sent.",
      "Another transaction of the wallet has its nonce for good."
    ])
    const { transaction: _, ...bare } = step({})
    assert.deepStrictEqual(progressOf({ step: bare, needed: 1, look: undefined, isUnbound: false }), [])
  })
})
