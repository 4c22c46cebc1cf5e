import { assert, describe, it } from "vitest"
import type { StoredReceipt } from "../../src/plans/Plan.ts"
import { EMPTY_FACTS, type StepFacts } from "../../src/plans/Step.ts"
import { type OperationStanding, operationState } from "../../src/useroperations/OperationState.ts"
import type { OperationStatus } from "../../src/useroperations/PublicUserOperation.ts"

const NOW = 1_000_000
const WORD = `0x${"12".repeat(32)}` as const

const receipt: StoredReceipt = {
  ...{ transactionHash: WORD, blockHash: WORD, blockNumber: "5", status: "success", confirmations: 2 },
  ...{ finality: "latest", canonical: true, observedAt: 1, logs: [], logCount: 0, logsHash: WORD },
  logsStored: false
}

const accepted = { leaseEndsAt: NOW + 1, outcome: "accepted" } as const

const seen = (facts: Partial<StepFacts>): OperationStanding => ({
  send: accepted,
  step: { ...EMPTY_FACTS, ...facts },
  isDead: false
})

const table: ReadonlyArray<readonly [OperationStatus, string, OperationStanding]> = [
  ["prepared", "without a claim", { send: undefined, step: undefined, isDead: false }],
  ["submitting", "while its lease lives", { ...seen({}), send: { leaseEndsAt: NOW + 1, outcome: null } }],
  [
    "submission_unknown",
    "once its lease is over",
    { ...seen({}), send: { leaseEndsAt: NOW, outcome: null } }
  ],
  [
    "submission_unknown",
    "by its outcome",
    { ...seen({}), send: { leaseEndsAt: NOW + 1, outcome: "unknown" } }
  ],
  ["pending", "once a bundler named its hash", seen({})],
  ["pending", "though its chain cannot be read", seen({ observed: "unknown" })],
  ["confirming", "in a block", seen({ observed: "confirming", receipt })],
  ["confirmed", "deep enough", seen({ observed: "confirmed", receipt, proof: "operation" })],
  [
    "reverted",
    "by its own event",
    seen({ observed: "reverted", receipt: { ...receipt, status: "reverted" }, proof: "operation" })
  ],
  [
    "pending",
    "around which a transaction failed",
    seen({ observed: "reverted", receipt: { ...receipt, status: "reverted" } })
  ],
  [
    "reorged",
    "whose block is gone",
    seen({ observed: "reorged", receipt: { ...receipt, canonical: false } })
  ],
  ["unknown", "whose nonce moved", seen({ observed: "unknown", semantic: { status: "unknown" } })],
  ["expired", "that is dead", { ...seen({}), isDead: true }],
  [
    "expired",
    "that is dead, with a block that is gone",
    { ...seen({ observed: "reorged", receipt: { ...receipt, canonical: false } }), isDead: true }
  ],
  [
    "unknown",
    "that is dead, for another one was executed by its nonce",
    {
      ...seen({ observed: "unknown", semantic: { status: "unknown", reason: "OPERATION_NONCE_CONSUMED" } }),
      isDead: true
    }
  ],
  [
    "confirmed",
    "that was thought dead",
    { ...seen({ observed: "confirmed", receipt, proof: "operation" }), isDead: true }
  ]
]

describe("an operation", () => {
  it.each(table)("is %s %s", (state, _, standing) => {
    assert.strictEqual(operationState(standing, NOW), state)
  })
})
