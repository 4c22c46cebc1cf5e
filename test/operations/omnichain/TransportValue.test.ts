import fc from "fast-check"
import { assert, describe, it } from "vitest"
import {
  allCandidates,
  candidateValues
} from "../../../src/operations/omnichain/prepare_accounting_sync/TransportValue.ts"

const FINNEY = 10n ** 15n

describe("the values that a sync of accounts is tried with", () => {
  it("are the usual ones of the transport, and the most that may be sent", () => {
    assert.deepStrictEqual(candidateValues("native", 10n * FINNEY), [0n, FINNEY, 10n * FINNEY])
    assert.deepStrictEqual(candidateValues("native", 11n * FINNEY), [0n, FINNEY, 10n * FINNEY, 11n * FINNEY])
    assert.deepStrictEqual(
      candidateValues("ccip", 1_000n * FINNEY),
      [1n, 5n, 20n, 50n, 200n, 500n, 1_000n].map(value => value * FINNEY)
    )
    assert.deepStrictEqual(candidateValues("ccip", 1n), [1n])
    assert.deepStrictEqual(candidateValues("native", 0n), [0n])
  })

  it("are never zero for CCIP, which would then take LINK", () => {
    assert.deepStrictEqual(candidateValues("ccip", 0n), [])
  })

  it("rise, end with the most, and are all asked for", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 2n * 10n ** 18n }), most => {
        for (const kind of ["ccip", "native"] as const) {
          const values = candidateValues(kind, most)
          assert.strictEqual(values.at(-1), most)
          assert.isTrue(values.every((value, index) => index === 0 || value > (values[index - 1] ?? 0n)))
          assert.includeMembers([...allCandidates(most)], [...values])
        }
      })
    )
  })
})
