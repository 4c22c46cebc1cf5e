import { assert, it } from "vitest"
import { whyEnded } from "../../src/console/operations/OperationWords.ts"

it("an operation that has ended is not to be prepared again where it may have been sent", () => {
  const over = { expiresAt: 1_000 }
  const again = { ...over, nextAction: { kind: "prepare-again", reason: "its time is over" } } as const
  const perhaps = { ...over, nextAction: { kind: "none", reason: "it may have been sent" } } as const
  assert.strictEqual(whyEnded(again, 1_000), "It has ended: prepare another one from its plan.")
  assert.isUndefined(whyEnded({ ...over, nextAction: { kind: "sign" } }, 999))
  assert.strictEqual(whyEnded(perhaps, 999), "Nothing is sent from here: it may have been sent.")
  assert.strictEqual(whyEnded(perhaps, 1_000), "Nothing is sent from here: it may have been sent.")
})
