import { assert, it } from "vitest"
import { operationProgress, whyEnded } from "../../src/console/operations/OperationWords.ts"
import type {
  OperationObservation,
  PublicUserOperation
} from "../../src/useroperations/PublicUserOperation.ts"

const HASH = `0x${"ab".repeat(32)}` as const

const receipt: NonNullable<OperationObservation["receipt"]> = {
  ...{ transactionHash: HASH, blockHash: HASH, blockNumber: "7", confirmations: 1 },
  status: "success",
  finality: "latest",
  ...{ canonical: true, observedAt: 0, logs: [], logCount: 0, logsHash: HASH },
  logsStored: false
}

const said = (state: PublicUserOperation["state"], observation: OperationObservation = {}) =>
  operationProgress({ state, observation } as PublicUserOperation, 3).map(({ words, tone }) => [tone, words])

it("an operation whose chain cannot be read is not said to be another's, nor to need anything", () => {
  const unread = "Its chain cannot be read now: what became of it is told once it can be."
  assert.deepStrictEqual(said("unknown", { receipt }), [
    ["done", "Seen by the chain in block 7."],
    ["now", unread]
  ])
  assert.deepStrictEqual(said("unknown"), [["now", unread]])
})

it("an operation of which something contradicts itself says what", () => {
  assert.deepStrictEqual(said("unknown", { receipt, reason: "OPERATION_EVENT_NOT_ONE" }), [
    ["bad", "What became of it is not proved: OPERATION_EVENT_NOT_ONE."]
  ])
  assert.deepStrictEqual(said("unknown", { reason: "OPERATION_NONCE_CONSUMED" }), [
    ["bad", "Its nonce is used by another operation and it is not seen: nothing more comes of it."]
  ])
  assert.deepStrictEqual(said("unknown", { reason: "OPERATION_NONCE_PASSED" }), [
    ["now", "Its nonce is used and no event says by what: whether it was executed is being looked for."]
  ])
})

it("an operation that expired is not to be prepared again from its plan, whose steps it holds for good", () => {
  assert.deepStrictEqual(said("expired"), [
    ["bad", "It was not executed in time, and never can be any more: what is left needs a new plan."]
  ])
})

it("an operation whose calls failed says what is to be done next, and when", () => {
  const reason = "its calls failed, in a block that is not final yet: what is left needs a new plan"
  const nextAction = { kind: "prepare-again", reason } as const
  const failed = { state: "reverted", observation: { receipt }, nextAction } as PublicUserOperation
  assert.deepStrictEqual(operationProgress(failed, 3).at(-1), {
    words: "Its calls failed, in a block that is not final yet: what is left needs a new plan.",
    tone: "now"
  })
})

it("an operation that has ended is not to be prepared again where it may have been sent", () => {
  const over = { expiresAt: 1_000 }
  const again = { ...over, nextAction: { kind: "prepare-again", reason: "its time is over" } } as const
  const perhaps = { ...over, nextAction: { kind: "none", reason: "it may have been sent" } } as const
  assert.strictEqual(whyEnded(again, 1_000), "It has ended: prepare another one from its plan.")
  assert.isUndefined(whyEnded({ ...over, nextAction: { kind: "sign" } }, 999))
  assert.strictEqual(whyEnded(perhaps, 999), "Nothing is sent from here: it may have been sent.")
  assert.strictEqual(whyEnded(perhaps, 1_000), "Nothing is sent from here: it may have been sent.")
  const untold = { ...over, nextAction: { kind: "wait", reason: "its chain does not say" } } as const
  assert.strictEqual(whyEnded(untold, 1_000), "Nothing is sent from here: its chain does not say.")
})
