import { assert, it } from "@effect/vitest"
import { Effect, Metric, MetricBoundaries } from "effect"
import { renderPrometheus } from "../../src/telemetry/Prometheus.ts"
import { PROMTOOL_MILLIS, promtool } from "../support/Promtool.ts"

const rendered = (prefix: string) =>
  Effect.map(Metric.snapshot, pairs =>
    renderPrometheus(pairs.filter(({ metricKey }) => metricKey.name.startsWith(prefix)))
  )

it.effect("counters and gauges stand under one header each, labels escaped", () =>
  Effect.gen(function* () {
    const counter = Metric.counter("render_b_total", { description: "Counts\nthings." })
    yield* Metric.incrementBy(Metric.tagged(counter, "kind", 'a"b\\c\nd'), 2)
    yield* Metric.increment(Metric.tagged(counter, "kind", "e"))
    yield* Metric.set(Metric.gauge("render_a-gauge"), 0.5)
    const text = yield* rendered("render_")
    const [, , , help, type, ...samples] = text.trimEnd().split("\n")
    assert.isTrue(
      text.startsWith(
        "# HELP render_a_gauge render_a-gauge\n# TYPE render_a_gauge gauge\nrender_a_gauge 0.5\n"
      )
    )
    assert.strictEqual(help, "# HELP render_b_total Counts\\nthings.")
    assert.strictEqual(type, "# TYPE render_b_total counter")
    assert.deepStrictEqual([...samples].sort(), [
      'render_b_total{kind="a\\"b\\\\c\\nd"} 2',
      'render_b_total{kind="e"} 1'
    ])
    assert.isTrue(text.endsWith("\n"))
  })
)

it.effect("histograms cumulate up to infinity", () =>
  Effect.gen(function* () {
    const histogram = Metric.histogram("cumulated_seconds", MetricBoundaries.fromIterable([0.1, 1]))
    for (const value of [0.05, 0.5, 0.6, 7]) yield* Metric.update(histogram, value)
    const [, , ...samples] = (yield* rendered("cumulated_")).trimEnd().split("\n")
    assert.deepStrictEqual(samples, [
      'cumulated_seconds_bucket{le="0.1"} 1',
      'cumulated_seconds_bucket{le="1"} 3',
      'cumulated_seconds_bucket{le="+Inf"} 4',
      "cumulated_seconds_sum 8.15",
      "cumulated_seconds_count 4"
    ])
  })
)

it.live(
  "Prometheus has nothing to say against what is written",
  () =>
    Effect.gen(function* () {
      const counter = Metric.counter("checked_things_total", { description: 'Counts "things".\nAnd more.' })
      yield* Metric.incrementBy(Metric.tagged(counter, "kind", 'a"b\\c\nd'), 2)
      yield* Metric.set(Metric.gauge("checked_a", { description: "A\\B" }), Number.POSITIVE_INFINITY)
      yield* Metric.update(
        Metric.histogram("checked_seconds", MetricBoundaries.fromIterable([0.1, 1]), "Took."),
        1
      )
      const check = (text: string) => Effect.promise(() => promtool(["check", "metrics"], text))
      const text = yield* rendered("checked_")
      assert.deepStrictEqual(yield* check(text), { code: 0, output: "" })
      assert.notStrictEqual((yield* check(text.replaceAll("_total", ""))).code, 0)
    }),
  PROMTOOL_MILLIS
)
