import { assert, describe, it } from "vitest"
import type { History } from "../../../src/console/projects/reading/History.ts"
import { overTime } from "../../../src/console/projects/series/FromHistory.ts"

const listed = <Row>(items: ReadonlyArray<Row>, cursor: string | null = null) => ({
  items,
  degraded: [],
  cursor
})

const past = (over: Partial<History> = {}): History => ({
  moments: listed([
    { block: 2, timestamp: 200, balance: "7" },
    { block: 1, timestamp: 100, balance: "3" }
  ]),
  payouts: listed([
    { timestamp: 250, amount: "9", amountPaidOut: "1" },
    { timestamp: 150, amount: "9", amountPaidOut: "2" }
  ]),
  queued: listed([{ rulesetId: "9", basedOnId: 0, duration: "0", weight: "5", weightCutPercent: "0" }]),
  starts: listed([{ rulesetId: "9", start: "50" }]),
  followedTo: 300,
  ...over
})

describe("what the index tells of the past", () => {
  const inForce = { id: "9", start: 50, weight: 5n }

  it("becomes lines and bars over one span", () => {
    assert.deepStrictEqual(overTime(past(), inForce), {
      span: { from: 50, until: 300 },
      balance: [
        { from: 100, until: 200, value: 3n },
        { from: 200, until: 300, value: 7n }
      ],
      issuance: [{ from: 50, until: 300, value: 5n }],
      payouts: [
        { at: 150, value: 2n },
        { at: 250, value: 1n }
      ],
      untold: []
    })
  })

  it("has gaps where rows are left out, without a balance, or not asked for yet", () => {
    const error = { code: "INDEXER_INVALID_RESPONSE", message: "", retryable: false } as const
    const moments = { ...past().moments, degraded: [{ key: { block: 3 }, error }] }
    assert.deepStrictEqual(overTime(past({ moments }), inForce)?.balance.at(-1), {
      from: 200,
      until: 200,
      value: 7n
    })
    const silent = listed([...past().moments.items, { block: 3, timestamp: 260, balance: "x" }])
    assert.deepStrictEqual(overTime(past({ moments: silent }), inForce)?.balance.at(-1)?.until, 200)
    const payouts = listed(past().payouts.items, "more")
    assert.deepStrictEqual(overTime(past({ payouts }), inForce)?.untold, [{ from: 50, until: 150 }])
    assert.deepStrictEqual(overTime(past(), undefined)?.issuance, [])
  })

  it("of nothing is nothing", () => {
    const none = past({ moments: listed([]), payouts: listed([]), queued: listed([]), starts: listed([]) })
    assert.isUndefined(overTime(none, undefined))
  })
})
