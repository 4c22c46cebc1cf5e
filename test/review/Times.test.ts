import { assert, describe, it } from "vitest"
import { distanceText } from "../../src/review/Times.ts"

const NOW = Date.UTC(2026, 10, 26)
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe("how far a time is from now", () => {
  const cases = [
    [0, "now"],
    [-1, "just now"],
    [-4_999, "just now"],
    [4_999, "now"],
    [5 * SECOND, "in 5 seconds"],
    [-34 * SECOND, "34 seconds ago"],
    [-(MINUTE + 59 * SECOND), "1 minute ago"],
    [59 * MINUTE, "in 59 minutes"],
    [HOUR, "in 1 hour"],
    [-(HOUR + MINUTE), "1 hour and 1 minute ago"],
    [7 * DAY - SECOND, "in 6 days and 23 hours"],
    [7 * DAY, "in 7 days"],
    [-(7 * DAY + 59 * MINUTE), "7 days ago"],
    [10 * DAY + 5 * HOUR, "in 10 days"],
    [400 * DAY, "in 400 days"]
  ] as const

  it.each(cases)("of %i milliseconds is said as a person says it: %s", (millis, said) =>
    assert.strictEqual(distanceText(NOW + millis, NOW), said)
  )
})
