import { assert, describe, it } from "vitest"
import { encodedLogs } from "./RecordedLogs.ts"
import { recordingOf, scenarios } from "./Recording.ts"

describe("the recordings", () => {
  it.each(scenarios)("%s can be read and its logs encoded", scenario => {
    const { steps, transactions } = recordingOf(scenario)
    assert.isAbove(steps.length, 0)
    for (const transaction of transactions) {
      const logs = encodedLogs(transaction)
      assert.strictEqual(logs.length, transaction.logs.length)
      assert.isTrue(transaction.revert === undefined || logs.length === 0)
    }
  })
})
