import { assert, describe, it } from "vitest"
import { believedSeconds } from "../../src/client/BelievedSeconds.ts"
import { planRecord } from "./support/PlanRecords.ts"

const NOW = 1_800_000_000
const DAY = 86_400

const clockAhead = (seconds: number) => ({ seconds: () => NOW + seconds, offsetMillis: seconds * 1000 })

const seenAt = (chainId: number, timestamp: number) => {
  const blockHash = `0x${"11".repeat(32)}` as const
  const block = {
    chainId,
    blockNumber: "1",
    blockHash,
    timestamp: String(timestamp),
    source: "onchain"
  } as const
  return planRecord({ evidence: [block] })
}

describe("the time from which signatures are counted", () => {
  it("is the service's, or that of the plan's block where that is later", () => {
    assert.strictEqual(believedSeconds(clockAhead(60), seenAt(1, NOW), 1), NOW + 60)
    assert.strictEqual(believedSeconds(clockAhead(60), seenAt(1, NOW + 90), 1), NOW + 90)
    assert.strictEqual(believedSeconds(clockAhead(60), seenAt(2, NOW + 90), 1), NOW + 60)
    assert.strictEqual(believedSeconds(clockAhead(-2 * DAY), seenAt(1, NOW - DAY), 1), NOW - DAY)
  })

  it("is no more than a day ahead of this machine's", () => {
    assert.strictEqual(believedSeconds(clockAhead(366 * DAY), seenAt(1, NOW), 1), NOW + DAY)
    assert.strictEqual(believedSeconds(clockAhead(0), seenAt(1, NOW + 366 * DAY), 1), NOW + DAY)
  })
})
