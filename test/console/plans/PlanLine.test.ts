import { assert, describe, it } from "vitest"
import { waitsFor } from "../../../src/console/plans/PlanLine.ts"
import { forgetSent, keepSent } from "../../../src/console/SentRecord.ts"
import type { Plan, Step } from "../../../src/plans/Plan.ts"

const NOW = 1_800_000_000_000

const ID = "5f0c8a52-0b1c-4f0a-9f53-000000000001"

type Standing = Pick<Plan, "id" | "status" | "steps" | "expiresAt">

const standing = (
  status: Plan["status"],
  states: ReadonlyArray<Step["state"]>,
  isExpired: boolean
): Standing => ({
  id: ID,
  status,
  steps: states.map((state, index) => ({ index, state, blockedBy: [] })),
  expiresAt: NOW + (isExpired ? -1 : 1)
})

describe("what a plan waits for", () => {
  it("is the chain while a transaction has too few confirmations, however long ago the plan expired", () => {
    for (const isExpired of [false, true])
      assert.strictEqual(
        waitsFor(standing("pending", ["confirming", "blocked"], isExpired), NOW),
        "Waits for the chain to confirm step 0."
      )
  })

  it("is nothing of the rest where that was not begun in time", () => {
    const [done, ...rest] = standing("partial", ["confirmed", "ready"], true).steps
    const begun = done === undefined ? [] : [{ ...done, semantic: { status: "verified" as const } }]
    assert.strictEqual(
      waitsFor({ id: ID, status: "partial", steps: [...begun, ...rest], expiresAt: NOW }, NOW),
      "Nothing more comes of it: step 1 was not begun in time."
    )
    assert.strictEqual(
      waitsFor(standing("expired", ["ready", "blocked"], true), NOW),
      "Nothing more comes of it: steps 0, 1 were not begun in time."
    )
  })

  it("is proof of what a step did, and nothing where it did something else", () => {
    const proved = (status: "unknown" | "failed") => {
      const { steps, ...rest } = standing("pending", ["confirmed"], true)
      return waitsFor({ ...rest, steps: steps.map(step => ({ ...step, semantic: { status } })) }, NOW)
    }
    assert.strictEqual(proved("unknown"), "Waits for proof of what step 0 did.")
    assert.strictEqual(proved("failed"), "Nothing more comes of it: step 0 did not do what was planned.")
  })

  it("is nothing of a step whose nonce another transaction has for good, once nothing else is under way", () => {
    const semantic = { status: "unknown", reason: "WALLET_NONCE_CONSUMED" } as const
    const [step, ...rest] = standing("pending", ["unknown", "submitted"], true).steps
    const gone = step === undefined ? [] : [{ ...step, semantic }]
    const told = (steps: Standing["steps"]) =>
      waitsFor({ id: ID, status: "pending", steps, expiresAt: NOW }, NOW)
    assert.strictEqual(told([...gone, ...rest]), "Waits for the chain to confirm step 1.")
    assert.match(told(gone), /^Nothing more comes of it: another has the nonce of step 0 for good\./)
  })

  it("is a look at the wallet where a step may have left before the service was restored", () => {
    const { steps, ...rest } = standing("expired", ["ready", "blocked"], false)
    assert.strictEqual(
      waitsFor({ ...rest, steps, restoredAt: NOW - 1 }, NOW),
      "Look at the wallet's own transactions: steps 0, 1 may have left before the service was restored from a backup."
    )
    const execution = { transport: "signed-eoa-transaction", bindingId: "", chainId: 1 } as const
    const [first, ...others] = steps
    const sent = first === undefined ? [] : [{ ...first, state: "confirming" as const, execution }]
    assert.strictEqual(
      waitsFor({ ...rest, steps: [...sent, ...others], restoredAt: NOW - 1 }, NOW),
      "Waits for the chain to confirm step 0."
    )
  })

  it("is the person while a step can be signed", () => {
    assert.strictEqual(
      waitsFor(standing("prepared", ["ready", "blocked"], false), NOW),
      "Waits for you to sign step 0."
    )
  })

  it("is a look at the wallet where it was asked to send a step, also of a plan that is over", () => {
    const sent = { planId: ID, step: 1 }
    const { steps, ...rest } = standing("expired", ["ready", "ready"], true)
    keepSent(sent, "asked", undefined)
    assert.strictEqual(
      waitsFor({ ...rest, steps }, NOW),
      "The wallet was asked to send step 1: look there first."
    )
    const execution = { transport: "signed-eoa-transaction", bindingId: "", chainId: 1 } as const
    const bound = steps.map(step => ({ ...step, state: "confirming" as const, execution }))
    assert.strictEqual(waitsFor({ ...rest, steps: bound }, NOW), "Waits for the chain to confirm steps 0, 1.")
    forgetSent(sent)
  })
})
