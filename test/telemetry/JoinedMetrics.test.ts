import { assert, it } from "vitest"
import { JoinedMetrics } from "../../src/telemetry/JoinedMetrics.ts"

const told = (count: number, standing: number): string =>
  [
    "# HELP asked_total Questions.",
    "# TYPE asked_total counter",
    `asked_total{of="a b"} ${count}`,
    "# HELP seconds How long.",
    "# TYPE seconds histogram",
    `seconds_bucket{le="+Inf"} ${count}`,
    `seconds_sum ${count / 2}`,
    `seconds_count ${count}`,
    "# HELP waiting Now.",
    "# TYPE waiting gauge",
    `waiting ${standing}`,
    ""
  ].join("\n")

const joined = (place: number, count: number, standing: number | undefined): ReadonlyArray<string> => [
  `asked_total{process="${place}",of="a b"} ${count}`,
  `seconds_bucket{process="${place}",le="+Inf"} ${count}`,
  `seconds_sum{process="${place}"} ${count / 2}`,
  `seconds_count{process="${place}"} ${count}`,
  ...(standing === undefined ? [] : [`waiting{process="${place}"} ${standing}`])
]

const BOTH = new Set([1, 2])

const samplesOf = (metrics: JoinedMetrics, heard: ReadonlySet<number> = BOTH): ReadonlyArray<string> =>
  metrics
    .render(heard)
    .split("\n")
    .filter(line => line !== "" && !line.startsWith("#"))

it("each process keeps its own numbers", () => {
  const metrics = new JoinedMetrics()
  metrics.note(1, {}, told(3, 7), true)
  metrics.note(2, {}, told(5, 1), true)
  assert.sameMembers([...samplesOf(metrics)], [...joined(1, 3, 7), ...joined(2, 5, 1)])
  assert.include(metrics.render(BOTH), "# HELP asked_total Questions.\n# TYPE asked_total counter\n")
  assert.strictEqual(metrics.render(BOTH).split("# TYPE waiting gauge").length, 2)
})

it("what stands is told of nobody who is silent, and what counts up stays", () => {
  const metrics = new JoinedMetrics()
  metrics.note(1, {}, told(3, 7), true)
  metrics.note(2, {}, told(5, 1), true)
  assert.sameMembers([...samplesOf(metrics, new Set([2]))], [...joined(1, 3, undefined), ...joined(2, 5, 1)])
})

it("what counts up goes on over those who take a place one after the other, and what stands is that of the last", () => {
  const metrics = new JoinedMetrics()
  const [first, second] = [{}, {}]
  metrics.note(1, first, told(3, 7), true)
  metrics.note(1, second, told(2, 1), true)
  metrics.note(1, first, told(4, 9), false)
  assert.sameMembers([...samplesOf(metrics)], [...joined(1, 6, 1)])
  metrics.end(1, first)
  metrics.end(1, first)
  metrics.note(1, first, told(5, 9), false)
  assert.sameMembers([...samplesOf(metrics)], [...joined(1, 6, 1)])
  metrics.end(1, second)
  assert.sameMembers([...samplesOf(metrics)], [...joined(1, 6, undefined)])
})

it("who is silent is not ready, until another takes its place", () => {
  const metrics = new JoinedMetrics()
  const member = {}
  const ready = "# HELP service_ready Ready.\n# TYPE service_ready gauge\nservice_ready 1\n"
  metrics.note(1, member, ready, true)
  assert.deepStrictEqual(samplesOf(metrics), ['service_ready{process="1"} 1'])
  assert.deepStrictEqual(samplesOf(metrics, new Set()), ['service_ready{process="1"} 0'])
  metrics.end(1, member)
  assert.deepStrictEqual(samplesOf(metrics, new Set()), [])
})
