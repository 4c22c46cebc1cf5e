import { assert, describe, it } from "vitest"
import { NetworkFailure, ServiceProblem, StepHeld } from "../../src/client/Errors.ts"
import type { StepSubmission } from "../../src/client/Plans.ts"
import { keptStep, memoryStore } from "../../src/client/Store.ts"
import { submitOnce } from "../../src/client/SubmitOnce.ts"
import type { Problem } from "../../src/values/Problem.ts"
import { heldSystem } from "./support/HeldSystem.ts"
import { planRecord, stepRecord } from "./support/PlanRecords.ts"

const plan = planRecord()
const unanswered = new NetworkFailure({ method: "POST" }, "http://service.test", new TypeError("cut off"))

const refusal = (over: Partial<Problem> = {}): ServiceProblem => {
  const problem: Problem = {
    type: "about:blank",
    title: "a scripted refusal",
    status: 429,
    detail: "a scripted refusal",
    code: "RATE_LIMITED",
    requestId: "00000000-0000-4000-8000-000000000000",
    retryable: true,
    ...over
  }
  return new ServiceProblem(problem, 3_600)
}

const expired = refusal({ status: 409, code: "PLAN_EXPIRED", retryable: false })

/** What is signed and given to the service, run by run, each of which ends by its failure. */
const runs = async (...failures: ReadonlyArray<Error>) => {
  const kept = keptStep(memoryStore(), plan.id, 0)
  const given: Array<string> = []
  let signed = 0
  for (const failure of failures)
    await submitOnce({
      plan,
      step: stepRecord(),
      kept,
      system: heldSystem(1_800_000_000_000),
      bytes: async () => {
        signed += 1
        return `0x0${signed}`
      },
      approved: async rawSignedTransaction => ({ rawSignedTransaction }),
      submit: async (_id: string, _step: number, { rawSignedTransaction }: StepSubmission) => {
        given.push(rawSignedTransaction)
        throw failure
      }
    }).catch((caught: unknown) => assert.strictEqual(caught, failure))
  return { given, isKept: (await kept.recall()) !== undefined }
}

describe("signed bytes", () => {
  it("are forgotten where the run that signed them is refused", async () => {
    const { given, isKept } = await runs(refusal(), refusal({ status: 409, code: "NONCE_RESERVED" }))
    assert.deepStrictEqual(given, ["0x01", "0x02"])
    assert.isFalse(isKept)
  })

  it("stay where the request was delivered twice, and the first was taken", async () => {
    const taken = refusal({ status: 409, code: "NONCE_REUSED", retryable: false })
    const { given, isKept } = await runs(taken, taken)
    assert.deepStrictEqual(given, ["0x01", "0x01"])
    assert.isTrue(isKept)
  })

  it("stay where a later run is refused, while the request of an earlier one may still be worked on", async () => {
    const again = await runs(
      unanswered,
      refusal(),
      refusal({ status: 409, code: "NONCE_RESERVED" }),
      unanswered
    )
    assert.deepStrictEqual(again.given, ["0x01", "0x01", "0x01", "0x01"])
    assert.isTrue(again.isKept)
  })

  it("are held where the wallet sent them and the plan expired, until the service's node knows them", async () => {
    const kept = keptStep(memoryStore(), plan.id, 0)
    const given: Array<string> = []
    const again = (answer: () => Promise<never>) =>
      submitOnce({
        plan,
        step: stepRecord(),
        kept,
        system: heldSystem(1_800_000_400_000),
        bytes: async () => {
          await kept.keep({ asked: "yes", hash: `0x${"ab".repeat(32)}` })
          return "0x01"
        },
        approved: async rawSignedTransaction => ({ rawSignedTransaction }),
        submit: async (_id: string, _step: number, { rawSignedTransaction }: StepSubmission) => {
          given.push(rawSignedTransaction)
          return answer()
        }
      }).catch((caught: unknown) => caught)
    for (let run = 0; run < 2; run++) {
      const held = await again(() => Promise.reject(expired))
      assert.instanceOf(held, StepHeld)
      assert.deepInclude(held, { reason: "asked", planId: plan.id, step: 0 })
    }
    assert.strictEqual(await again(() => Promise.reject(unanswered)), unanswered)
    assert.deepStrictEqual(given, ["0x01", "0x01", "0x01"])
    assert.propertyVal(await kept.recall(), "asked", "yes")
  })

  it("are refused as they are where the plan expired and no wallet sent them", async () => {
    const { isKept } = await runs(expired)
    assert.isFalse(isKept)
  })
})
