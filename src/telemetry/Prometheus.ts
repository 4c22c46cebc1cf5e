/** Writes metrics in the text exposition format of Prometheus. */
import { type MetricPair, MetricState, Option } from "effect"

type Pair = MetricPair.MetricPair.Untyped
type Labels = ReadonlyArray<readonly [string, string]>

const nameOf = (text: string): string => text.replace(/[^a-zA-Z0-9_:]/g, "_").replace(/^(?=\d)/, "_")

const escapedLabel = (text: string): string =>
  text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"')

const escapedHelp = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")

const numberOf = (value: number | bigint): string => {
  if (value === Number.POSITIVE_INFINITY) return "+Inf"
  return value === Number.NEGATIVE_INFINITY ? "-Inf" : String(value)
}

const sample = (name: string, labels: Labels, value: number | bigint): string => {
  const written = labels.map(([label, text]) => `${nameOf(label)}="${escapedLabel(text)}"`).join(",")
  return `${name}${written === "" ? "" : `{${written}}`} ${numberOf(value)}`
}

const histogram = (name: string, labels: Labels, state: MetricState.MetricState.Histogram) => [
  ...state.buckets
    .filter(([boundary]) => Number.isFinite(boundary))
    .map(([boundary, count]) => sample(`${name}_bucket`, [...labels, ["le", String(boundary)]], count)),
  sample(`${name}_bucket`, [...labels, ["le", "+Inf"]], state.count),
  sample(`${name}_sum`, labels, state.sum),
  sample(`${name}_count`, labels, state.count)
]

const written = (name: string, labels: Labels, state: Pair["metricState"]) => {
  if (MetricState.isCounterState(state))
    return { type: "counter", lines: [sample(name, labels, state.count)] }
  if (MetricState.isGaugeState(state)) return { type: "gauge", lines: [sample(name, labels, state.value)] }
  return MetricState.isHistogramState(state)
    ? { type: "histogram", lines: histogram(name, labels, state) }
    : undefined
}

/** Those of a library may lack what Prometheus asks of a counter's name. */
const conventional = (name: string, state: Pair["metricState"]): string =>
  MetricState.isCounterState(state) && !name.endsWith("_total") ? `${name}_total` : name

interface Family {
  readonly help: string
  readonly type: string
  readonly lines: Array<string>
}

/** Counters, gauges and histograms by name; the service keeps no other kind. */
export const renderPrometheus = (pairs: Iterable<Pair>): string => {
  const families = new Map<string, Family>()
  for (const { metricKey, metricState } of pairs) {
    const name = conventional(nameOf(metricKey.name), metricState)
    const labels = metricKey.tags.map(({ key, value }) => [key, value] as const)
    const own = written(name, labels, metricState)
    if (own === undefined) continue
    const help = Option.getOrElse(metricKey.description, () => metricKey.name)
    const family = families.get(name) ?? { help, type: own.type, lines: [] }
    family.lines.push(...own.lines)
    families.set(name, family)
  }
  return [...families]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(
      ([name, { help, type, lines }]) =>
        `# HELP ${name} ${escapedHelp(help)}\n# TYPE ${name} ${type}\n${lines.join("\n")}\n`
    )
    .join("")
}
