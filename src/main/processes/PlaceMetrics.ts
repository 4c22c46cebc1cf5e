/** What operators see of each place among the processes that no process could tell of itself. */
import type { MemberPlace } from "./Supervisor.ts"

interface Family {
  readonly name: string
  readonly type: "counter" | "gauge"
  readonly help: string
  readonly of: (place: MemberPlace, told: ReadonlySet<number>) => number
}

const FAMILIES: ReadonlyArray<Family> = [
  {
    name: "service_process_failures_total",
    type: "counter",
    help: "Processes of the place that ended by themselves or did not become ready.",
    of: ({ ended }) => ended
  },
  {
    name: "service_process_serving",
    type: "gauge",
    help: "1 where the process of the place serves and tells its own, 0 while it is started anew or silent.",
    of: ({ number }, told) => (told.has(number) ? 1 : 0)
  }
]

/** `told` has the numbers of the places whose processes told their own just now. */
export const placeMetrics = (places: ReadonlyArray<MemberPlace>, told: ReadonlySet<number>): string =>
  FAMILIES.map(({ name, type, help, of }) => {
    const lines = places.map(place => `${name}{process="${place.number}"} ${of(place, told)}\n`)
    return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`
  }).join("")
