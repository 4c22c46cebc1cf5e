import { assert, describe, it } from "vitest"
import { CliFailure, ExitCode } from "../../src/cli/Failure.ts"
import { nonceLeft, noncesWith, requireSameNonce, signedNonces } from "../../src/cli/SignedNonces.ts"
import type { PublicUserOperation } from "../../src/useroperations/PublicUserOperation.ts"
import { planRecord, stepRecord } from "../client/support/PlanRecords.ts"

const operationAt = (nonce: string, ...stepIndexes: ReadonlyArray<number>) =>
  ({ stepIndexes, operation: { nonce } }) as unknown as PublicUserOperation

const refused = (...[record, operation, before]: Parameters<typeof requireSameNonce>) => {
  try {
    requireSameNonce(record, operation, before)
    return undefined
  } catch (failure) {
    return failure instanceof CliFailure ? failure.exitCode : failure
  }
}

const taken = (before?: string, ...open: ReadonlyArray<string>) => ({ before, open })

const doneAt = (index: number) => stepRecord({ index, state: "confirmed", semantic: { status: "verified" } })

describe("the nonces that a plan's steps were signed at", () => {
  const record = noncesWith({ prepare: "a", signature: "0x01" }, operationAt("0x5", 0))

  it("are kept by the steps whose calls were signed, and outlive the operation", () => {
    assert.deepStrictEqual(signedNonces(record), { "nonce 0": "0x5" })
    assert.deepStrictEqual(signedNonces(noncesWith(record, operationAt("0x6", 1, 2))), {
      ...{ "nonce 0": "0x5", "nonce 1": "0x6", "nonce 2": "0x6" }
    })
    assert.deepStrictEqual(signedNonces(undefined), {})
  })

  it("are the only ones at which the same is signed again", () => {
    assert.isUndefined(refused(record, operationAt("0x5", 0), undefined))
    assert.isUndefined(refused(record, operationAt("0x6", 1), "0x4"))
    assert.strictEqual(refused(record, operationAt("0x6", 0), undefined), ExitCode.unknown)
    assert.strictEqual(refused(record, operationAt("0x6", 1, 0), undefined), ExitCode.unknown)
  })

  it("bound the first operation of the plan in the place of theirs", () => {
    assert.isUndefined(refused({ prepare: "b" }, operationAt("0x5", 0), "0x5"))
    assert.strictEqual(refused({ prepare: "b" }, operationAt("0x6", 1), "0x5"), ExitCode.unknown)
    assert.strictEqual(refused({}, operationAt("0x5", 0), "0x5 and 0x6"), ExitCode.unknown)
  })

  it("are left by a plan that ended as far as its steps are not done", () => {
    const both = noncesWith(record, operationAt("0x6", 1))
    const half = planRecord({ steps: [doneAt(0), stepRecord({ index: 1 })] })
    assert.strictEqual(nonceLeft(half, both, taken()), "0x6")
    assert.isUndefined(nonceLeft(half, record, taken("0x4")))
    assert.strictEqual(nonceLeft(half, undefined, taken("0x4")), "0x4")
    assert.strictEqual(nonceLeft(half, { prepare: "b" }, taken("0x4")), "0x4")
    const open = planRecord({ steps: [stepRecord(), stepRecord({ index: 1 })] })
    assert.strictEqual(nonceLeft(open, both, taken()), "0x5 and 0x6")
    const done = planRecord({ steps: [doneAt(0)] })
    assert.strictEqual(nonceLeft(done, record, taken()), "0x5")
  })

  it("are left too by what others may have signed, and a block can still execute", () => {
    const plan = planRecord({ steps: [stepRecord()] })
    assert.strictEqual(nonceLeft(plan, undefined, taken(undefined, "0x5")), "0x5")
    assert.strictEqual(nonceLeft(plan, record, taken(undefined, "0x5", "0x5")), "0x5")
    assert.strictEqual(nonceLeft(plan, record, taken("0x4", "0x7")), "0x5 and 0x7")
    assert.isUndefined(nonceLeft(plan, undefined, taken()))
  })
})
