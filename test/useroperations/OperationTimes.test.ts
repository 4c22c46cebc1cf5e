/** How long an operation is sent: to no bundler that would have to refuse it, because it ends too soon. */
import { Effect, Either } from "effect"
import { assert, describe, it } from "vitest"
import { operationTimes } from "../../src/useroperations/OperationTimes.ts"

const NOW = 2_000_000_000
const WEEK = 604_800

interface Given {
  /** In seconds. */
  readonly planLeft?: number
  readonly policyLeft?: number
  readonly paidLeft?: number
}

const timesWith = ({ planLeft = 900, policyLeft, paidLeft = Number.POSITIVE_INFINITY }: Given) => {
  const plan = { now: NOW * 1000, expiresAt: (NOW + planLeft) * 1000 }
  const own = policyLeft === undefined ? undefined : { validAfter: NOW - WEEK, validUntil: NOW + policyLeft }
  const timed = { plan, own, paidUntil: NOW + paidLeft, timestamp: BigInt(NOW) }
  return Effect.runSync(Effect.either(operationTimes(timed)))
}

const told = (given: Given) => {
  const { validity, expiresAt } = Either.getOrThrow(timesWith(given))
  return [validity.validUntil - NOW, expiresAt / 1000 - NOW]
}

const refusal = (given: Given) => Either.flip(timesWith(given)).pipe(Either.getOrThrow)

describe("an operation", () => {
  it("of the owners is sent until 40 seconds before it ends, which its plan does at the latest", () => {
    assert.deepStrictEqual(told({}), [300, 260])
    assert.deepStrictEqual(told({ planLeft: 100 }), [100, 60])
    assert.deepStrictEqual(told({ planLeft: 41 }), [41, 1])
  })

  it("of a session is sent for five minutes, and until 40 seconds before its policy ends", () => {
    assert.deepStrictEqual(told({ policyLeft: WEEK }), [WEEK, 300])
    assert.deepStrictEqual(told({ policyLeft: 100 }), [100, 60])
    assert.deepStrictEqual(told({ policyLeft: 100, planLeft: 50 }), [100, 50])
  })

  it("is valid and sent no longer than its paymaster pays, a session's is sent no longer", () => {
    assert.deepStrictEqual(told({ paidLeft: 200 }), [200, 160])
    assert.deepStrictEqual(told({ paidLeft: WEEK }), [300, 260])
    assert.deepStrictEqual(told({ policyLeft: WEEK, paidLeft: 200 }), [WEEK, 160])
    assert.strictEqual(refusal({ paidLeft: 40 })._tag, "PAYMASTER_REFUSED")
    assert.strictEqual(refusal({ policyLeft: WEEK, paidLeft: 40 })._tag, "PAYMASTER_REFUSED")
  })

  it("is not prepared where it would end too soon for any bundler", () => {
    assert.strictEqual(refusal({ planLeft: 40 })._tag, "PLAN_EXPIRED")
    const { _tag, context } = refusal({ policyLeft: 40 })
    assert.deepStrictEqual([_tag, context], ["SESSION_NOT_ACTIVE", { state: "active", validUntil: NOW + 40 }])
  })
})
