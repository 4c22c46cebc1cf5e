import { assert, describe, it } from "vitest"
import { gapsIn, holdsOf } from "../../../src/console/projects/series/Holds.ts"
import { issuanceHolds, type QueuedRuleset } from "../../../src/console/projects/series/Issuance.ts"
import { type Drawn, MARGIN, shapesOf } from "../../../src/console/projects/series/Picture.ts"
import { amountScale, shareOf, timeTicks } from "../../../src/console/projects/series/Scale.ts"
import { weightAfterCuts } from "../../../src/operations/shared/economics/Weight.ts"

const ETHER = 10n ** 18n
const DAY = 86_400
const NOON = Date.UTC(2026, 0, 2, 12) / 1000

describe("what held when", () => {
  const moments = [
    { block: 7, at: 300, value: 5n },
    { block: 1, at: 100, value: 1n },
    { block: 3, at: 200, value: 2n }
  ]

  it("is a value until the next one, and the last until the source has followed", () => {
    assert.deepStrictEqual(holdsOf({ moments, lost: [], until: 450 }), [
      { from: 100, until: 200, value: 1n },
      { from: 200, until: 300, value: 2n },
      { from: 300, until: 450, value: 5n }
    ])
  })

  it("has a gap behind each value that is followed by a lost one, and none is drawn over it", () => {
    const holds = holdsOf({ moments, lost: [2, 9], until: 450 })
    assert.deepStrictEqual(holds, [
      { from: 100, until: 100, value: 1n },
      { from: 200, until: 300, value: 2n },
      { from: 300, until: 300, value: 5n }
    ])
    assert.deepStrictEqual(gapsIn(holds, { from: 50, until: 450 }), [
      { from: 50, until: 100 },
      { from: 100, until: 200 },
      { from: 300, until: 450 }
    ])
  })

  it("takes the last of several values of one second, and never ends before it began", () => {
    const twice = [...moments, { block: 4, at: 200, value: 3n }]
    const holds = holdsOf({ moments: twice, lost: [], until: 250 })
    assert.deepStrictEqual(
      holds.map(({ from, value }) => [from, value]),
      [
        [100, 1n],
        [200, 3n],
        [300, 5n]
      ]
    )
    assert.strictEqual(holds.at(-1)?.until, 300)
    assert.deepStrictEqual(holdsOf({ moments: [], lost: [4], until: 250 }), [])
    assert.deepStrictEqual(gapsIn([], { from: 1, until: 2 }), [{ from: 1, until: 2 }])
  })
})

const queued = (over: Partial<QueuedRuleset>): QueuedRuleset => ({
  id: "1",
  basedOnId: "0",
  duration: 100,
  weight: 1000n,
  weightCutPercent: 500_000_000n,
  start: 0,
  ...over
})

describe("issuance", () => {
  it("is cut cycle after cycle, and inherited where the next ruleset says so", () => {
    const next = queued({
      id: "2",
      basedOnId: "1",
      weight: 1n,
      duration: 0,
      weightCutPercent: 0n,
      start: 300
    })
    const inForce = { id: "2", start: 300, weight: 125n }
    assert.deepStrictEqual(issuanceHolds(inForce, [next, queued({})], 350), [
      { from: 0, until: 100, value: 1000n },
      { from: 100, until: 200, value: 500n },
      { from: 200, until: 300, value: 250n },
      { from: 300, until: 350, value: 125n }
    ])
  })

  it("follows the rulesets that led to the one in force alone, rejected ones left out", () => {
    const rejected = queued({ id: "2", basedOnId: "1", weight: 9n, start: 100 })
    const kept = queued({ id: "3", basedOnId: "1", weight: 7n, duration: 0, start: 200 })
    const holds = issuanceHolds({ id: "3", start: 200, weight: 7n }, [kept, rejected, queued({})], 250)
    assert.deepStrictEqual(
      holds.map(({ from, value }) => [from, value]),
      [
        [0, 1000n],
        [100, 500n],
        [200, 7n]
      ]
    )
  })

  it("has a gap where a start or an inherited weight is not known", () => {
    const [second, third] = [
      queued({ id: "2", basedOnId: "1", start: undefined }),
      queued({ id: "3", basedOnId: "2", weight: 1n, start: 300, duration: 0 })
    ]
    const holds = issuanceHolds({ id: "3", start: 300, weight: 40n }, [third, second, queued({})], 350)
    assert.deepStrictEqual(holds, [{ from: 300, until: 350, value: 40n }])
  })

  it("is the chain's own where the source tells another, and nothing that is ahead of the source", () => {
    const inForce = { id: "1", start: 100, weight: 499n }
    assert.deepStrictEqual(issuanceHolds(inForce, [queued({})], 150), [
      { from: 100, until: 150, value: 499n }
    ])
    assert.deepStrictEqual(issuanceHolds(inForce, [], 150), [{ from: 100, until: 150, value: 499n }])
    assert.deepStrictEqual(issuanceHolds(inForce, [], 90), [])
  })

  it("draws the latest cycles of many, and none where a contract would not count them", () => {
    const many = queued({ duration: 1, weight: ETHER, weightCutPercent: 1n })
    const weight = weightAfterCuts(ETHER, 1n, 1999)
    const holds = issuanceHolds({ id: "1", start: 1999, weight }, [many], 2000)
    assert.lengthOf(holds, 500)
    assert.deepStrictEqual(holds.at(-1), { from: 1999, until: 2000, value: weight })
    const tooMany = queued({ duration: 1 })
    assert.deepStrictEqual(issuanceHolds({ id: "1", start: 50_000, weight: 5n }, [tooMany], 50_001), [
      { from: 50_000, until: 50_001, value: 5n }
    ])
  })
})

describe("amounts on an axis", () => {
  it.each([
    [[], [0n]],
    [[0n], [0n]],
    [[3n], [0n, 1n, 2n, 3n]],
    [
      [10n * ETHER, 3n],
      [0n, 5n * ETHER, 10n * ETHER]
    ],
    [
      [7_300n, -200n],
      [-5000n, 0n, 5000n, 10_000n]
    ]
  ])("of %s are %s", (values, ticks) => {
    assert.deepStrictEqual(amountScale(values).ticks, ticks)
  })

  it("hold every value, few, with zero, however wide they are", () => {
    for (const value of [1n, 9n, 11n, 2n ** 255n, 2n ** 256n - 1n]) {
      const scale = amountScale([value])
      assert.isAtMost(scale.ticks.length, 5)
      assert.isTrue(scale.ticks.includes(0n) && scale.high >= value)
      assert.isTrue(shareOf(scale, value) > 0.5 && shareOf(scale, value) <= 1)
    }
  })
})

describe("times on an axis", () => {
  const labels = (from: number, until: number, most = 4) =>
    timeTicks(from, until, most).map(({ label }) => label)

  it.each([
    [NOON, NOON + 2 * DAY, ["2026-01-03", "2026-01-04"]],
    [NOON, NOON + 3600, ["12:00", "12:30", "13:00"]],
    [NOON, NOON + 400 * DAY, ["2026-04", "2026-07", "2026-10", "2027-01"]],
    [NOON, NOON, ["12:00"]],
    [NOON + 1, NOON + 2, ["2026-01-02 12:00"]]
  ])("from %d to %d are round ones", (from, until, told) => {
    const found = labels(from, until)
    assert.isAtMost(found.length, 4)
    assert.deepStrictEqual(found, told)
  })

  it("are few for any span, inside it, and in order", () => {
    for (const length of [0, 59, 4000, 9 * DAY, 45 * DAY, 3 * 366 * DAY, 40 * 366 * DAY, 2 ** 31])
      for (const most of [2, 3, 8]) {
        const ticks = timeTicks(NOON, NOON + length, most)
        assert.isTrue(ticks.length > 0 && ticks.length <= most)
        for (const { at } of ticks) assert.isTrue(at >= NOON && at <= NOON + length)
      }
  })
})

describe("a picture", () => {
  const left = 2 * 7.5 + 14
  const frame = {
    width: 100 + left + MARGIN.right,
    height: 100 + MARGIN.top + MARGIN.bottom,
    span: { from: 0, until: 100 },
    label: () => "10"
  }
  const line: Drawn = {
    kind: "line",
    holds: [
      { from: 0, until: 20, value: 0n },
      { from: 20, until: 40, value: 10n },
      { from: 60, until: 60, value: 5n },
      { from: 80, until: 100, value: 10n }
    ]
  }

  it("steps where a value follows another, and breaks over gaps", () => {
    const { path, gaps, dots } = shapesOf(line, frame)
    const [x, bottom, top] = [(at: number) => left + at, MARGIN.top + 100, MARGIN.top]
    const lone = `M${x(60)} ${MARGIN.top + 50}H${x(60)}`
    assert.strictEqual(path, `M${x(0)} ${bottom}H${x(20)}V${top}H${x(40)}${lone}M${x(80)} ${top}H${x(100)}`)
    assert.deepStrictEqual(
      gaps.map(({ x: begin, width }) => [begin - left, width]),
      [
        [40, 20],
        [60, 20]
      ]
    )
    assert.deepStrictEqual(dots, [{ x: x(60), y: MARGIN.top + 50 }])
  })

  it("stands bars on zero, and keeps all that it draws inside", () => {
    const beats = [
      { at: 0, value: 1n },
      { at: 50, value: 2n ** 256n - 1n },
      { at: 100, value: -3n }
    ]
    const { bars } = shapesOf({ kind: "bars", beats, gaps: [] }, frame)
    assert.lengthOf(bars, 3)
    for (const { y, height } of bars) assert.isTrue(y >= MARGIN.top && y + height <= MARGIN.top + 101)
    const tallest = bars.toSorted((one, other) => other.height - one.height)[0]
    assert.strictEqual(tallest, bars[1])
  })

  it("keeps the labels of times inside and apart, however long the time and wide the picture", () => {
    const HALF = 35
    for (const width of [320, 346, 390, 600, 1040])
      for (const days of [7, 20, 42, 100, 400, 2000])
        for (const begin of [0, 3, 11]) {
          const from = 1_750_000_000 + begin * 86_400
          const span = { from, until: from + days * 86_400 }
          const { times } = shapesOf({ kind: "line", holds: [] }, { ...frame, width, span })
          const longest = times.filter(({ label }) => label.length === 10)
          for (const [index, { labelX }] of longest.entries()) {
            assert.isTrue(labelX >= HALF && labelX <= width - HALF)
            const before = longest[index - 1]
            if (before !== undefined) assert.isAtLeast(labelX - before.labelX, 2 * HALF)
          }
        }
  })

  it("of nothing has ticks and one gap, and of no width no broken number", () => {
    const empty = shapesOf({ kind: "line", holds: [] }, frame)
    assert.deepStrictEqual([empty.path, empty.gaps.length, empty.amounts.length], ["", 1, 1])
    const narrow = shapesOf(line, { ...frame, width: 0, span: { from: 5, until: 5 } })
    assert.notMatch(
      `${narrow.path} ${narrow.times.map(({ x }) => x)} ${narrow.gaps.map(({ width }) => width)}`,
      /NaN|Inf/
    )
  })
})
