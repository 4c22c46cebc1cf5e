/** What the process itself is doing, by the names that Prometheus' own clients give it. */
import { readdirSync, readFileSync } from "node:fs"
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import {
  constants,
  type IntervalHistogram,
  monitorEventLoopDelay,
  PerformanceObserver,
  performance
} from "node:perf_hooks"
import { Effect, Metric, MetricBoundaries, Predicate } from "effect"
import { packageRoot } from "../settings/PackageRoot.ts"
import { atScrape } from "./AtScrape.ts"

const gauge = (name: string, description: string) => Metric.gauge(name, { description })

const build = gauge(
  "service_build_info",
  "1, with the versions of the service and of Node and the last migration."
)
const cpu = Metric.counter("process_cpu_seconds_total", {
  description: "Processor time of the process in seconds.",
  incremental: true
})
const started = gauge("process_start_time_seconds", "When the process began, in seconds since 1970.")
const resident = gauge("process_resident_memory_bytes", "Resident memory of the process.")
const openFiles = gauge("process_open_fds", "File descriptors that the process has open.")
const maximumFiles = gauge("process_max_fds", "File descriptors that the process may have open.")
const heapUsed = gauge("nodejs_heap_size_used_bytes", "Used heap.")
const heapTotal = gauge("nodejs_heap_size_total_bytes", "Heap.")
const external = gauge("nodejs_external_memory_bytes", "Memory of objects outside the heap.")
const lagHalf = gauge(
  "nodejs_eventloop_lag_p50_seconds",
  "Median delay of the event loop since the last look."
)
const lagMost = gauge(
  "nodejs_eventloop_lag_p99_seconds",
  "99th percentile of the event loop's delay since the last look."
)
const lagWorst = gauge(
  "nodejs_eventloop_lag_max_seconds",
  "Longest delay of the event loop since the last look."
)
const utilization = gauge(
  "nodejs_eventloop_utilization_ratio",
  "Part of the time since the last look that the event loop was busy."
)
const collections = Metric.histogram(
  "nodejs_gc_duration_seconds",
  MetricBoundaries.fromIterable([0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1]),
  "Seconds that garbage collections took, by their kind."
)

const LOOP_RESOLUTION_MS = 20

const KINDS = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, "major"],
  [constants.NODE_PERFORMANCE_GC_MINOR, "minor"],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, "incremental"],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, "weakcb"]
])

const kindOf = (detail: unknown): string | undefined =>
  Predicate.hasProperty(detail, "kind") && typeof detail.kind === "number"
    ? KINDS.get(detail.kind)
    : undefined

const watchCollections = Effect.acquireRelease(
  Effect.sync(() => {
    const observer = new PerformanceObserver(list => {
      for (const entry of list.getEntries()) {
        const kind = kindOf(Reflect.get(entry, "detail"))
        if (kind !== undefined)
          Metric.tagged(collections, "kind", kind).unsafeUpdate(entry.duration / 1e3, [])
      }
    })
    observer.observe({ entryTypes: ["gc"] })
    return observer
  }),
  observer => Effect.sync(() => observer.disconnect())
)

const watchLoop = Effect.acquireRelease(
  Effect.sync(() => {
    const histogram = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS })
    histogram.enable()
    return histogram
  }),
  histogram => Effect.sync(() => histogram.disable())
)

let countedCpu = 0
let countedLoop = performance.eventLoopUtilization()

const showCpu = (): void => {
  const { user, system } = process.cpuUsage()
  const spent = (user + system) / 1e6
  cpu.unsafeUpdate(spent - countedCpu, [])
  countedCpu = spent
}

const showLoop = (loop: IntervalHistogram): void => {
  const delay = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - LOOP_RESOLUTION_MS / 1e3)
  lagHalf.unsafeUpdate(delay(loop.percentile(50)), [])
  lagMost.unsafeUpdate(delay(loop.percentile(99)), [])
  lagWorst.unsafeUpdate(delay(loop.max), [])
  loop.reset()
  const now = performance.eventLoopUtilization()
  utilization.unsafeUpdate(performance.eventLoopUtilization(now, countedLoop).utilization, [])
  countedLoop = now
}

const showMemory = (): void => {
  const memory = process.memoryUsage()
  resident.unsafeUpdate(memory.rss, [])
  heapUsed.unsafeUpdate(memory.heapUsed, [])
  heapTotal.unsafeUpdate(memory.heapTotal, [])
  external.unsafeUpdate(memory.external, [])
}

const LIMIT = /^Max open files\s+(\d+)/m

/** Where the system tells of them as Linux does. */
const showFiles = (): void => {
  try {
    openFiles.unsafeUpdate(readdirSync("/proc/self/fd").length, [])
    const [, most] = LIMIT.exec(readFileSync("/proc/self/limits", "utf8")) ?? []
    if (most !== undefined) maximumFiles.unsafeUpdate(Number(most), [])
  } catch {}
}

const readBuild = Effect.promise(async () => {
  const { version }: { readonly version: string } = JSON.parse(
    await readFile(join(packageRoot, "package.json"), "utf8")
  )
  const files = await readdir(join(packageRoot, "migrations"))
  const migration =
    files
      .filter(name => name.endsWith(".sql"))
      .sort()
      .at(-1) ?? "none"
  return { version, migration }
})

/** Until the scope closes. */
export const showProcess = Effect.gen(function* () {
  const { version, migration } = yield* readBuild
  const known = build.pipe(
    Metric.tagged("version", version),
    Metric.tagged("node", process.versions.node),
    Metric.tagged("migration", migration)
  )
  yield* watchCollections
  const loop = yield* watchLoop
  yield* atScrape(() => {
    known.unsafeUpdate(1, [])
    started.unsafeUpdate(performance.timeOrigin / 1e3, [])
    showCpu()
    showMemory()
    showLoop(loop)
    showFiles()
  })
})
