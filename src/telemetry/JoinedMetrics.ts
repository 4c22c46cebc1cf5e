/** The metrics of several processes as one text: what counts up goes on where a process took another one's place, so that nothing is lost or counted twice. */

interface Family {
  readonly name: string
  help: string
  type: string
}

interface Sample {
  readonly family: Family
  readonly name: string
  readonly labels: string
  readonly value: number
}

const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const HEADER = /^# (HELP|TYPE) (\S+) (.*)$/
const COUNTING = ["counter", "histogram"]

const numberIn = (text: string): number =>
  text === "+Inf" ? Number.POSITIVE_INFINITY : text === "-Inf" ? Number.NEGATIVE_INFINITY : Number(text)

const textOf = (value: number): string =>
  Number.isFinite(value) || Number.isNaN(value) ? String(value) : value > 0 ? "+Inf" : "-Inf"

const samplesIn = (text: string): ReadonlyArray<Sample> => {
  const samples: Array<Sample> = []
  let family: Family = { name: "", help: "", type: "untyped" }
  for (const line of text.split("\n")) {
    const [, kind, name = "", rest = ""] = HEADER.exec(line) ?? []
    if (kind !== undefined) {
      if (family.name !== name) family = { name, help: "", type: "untyped" }
      if (kind === "HELP") family.help = rest
      else family.type = rest
      continue
    }
    const found = SAMPLE.exec(line)
    if (found === null) continue
    const [, sample = "", labels = "", value = ""] = found
    samples.push({ family, name: sample, labels, value: numberIn(value) })
  }
  return samples
}

type Told = ReadonlyMap<string, Sample>

const keyOf = ({ name, labels }: Sample): string => `${name}{${labels}`

const isCounting = ({ family }: Sample): boolean => COUNTING.includes(family.type)

const sumOf = (all: Iterable<Told>): Map<string, Sample> => {
  const sums = new Map<string, Sample>()
  for (const told of all)
    for (const [key, sample] of told)
      if (isCounting(sample)) sums.set(key, { ...sample, value: sample.value + (sums.get(key)?.value ?? 0) })
  return sums
}

export const READY_METRIC = "service_ready"

const notReady = (standing: ReadonlyArray<Sample>): ReadonlyArray<Sample> =>
  standing.filter(({ name }) => name === READY_METRIC).map(sample => ({ ...sample, value: 0 }))

/** Of one place among the processes, which one after the other may take. */
class PlaceMetrics {
  readonly #told = new Map<object, Told>()
  #ended: Told = new Map()
  #latest: object | undefined

  note(member: object, samples: ReadonlyArray<Sample>, isCurrent: boolean): void {
    this.#told.set(member, new Map(samples.map(sample => [keyOf(sample), sample])))
    if (isCurrent) this.#latest = member
  }

  end(member: object): void {
    this.#ended = sumOf([this.#ended, this.#told.get(member) ?? new Map()])
    this.#told.delete(member)
    if (this.#latest === member) this.#latest = undefined
  }

  /** What only stands for now is that of the latest process alone; of one that is silent, that it is not ready. */
  samples(isHeard: boolean): ReadonlyArray<Sample> {
    const latest = this.#latest === undefined ? undefined : this.#told.get(this.#latest)
    const standing = [...(latest?.values() ?? [])].filter(sample => !isCounting(sample))
    const shown = isHeard ? standing : notReady(standing)
    return [...shown, ...sumOf([this.#ended, ...this.#told.values()]).values()]
  }
}

const lineOf = (place: number, { name, labels, value }: Sample): string => {
  const inside = labels === "" ? "" : `,${labels}`
  return `${name}{process="${place}"${inside}} ${textOf(value)}`
}

export class JoinedMetrics {
  readonly #places = new Map<number, PlaceMetrics>()
  readonly #gone = new WeakSet<object>()

  #place(number: number): PlaceMetrics {
    const place = this.#places.get(number) ?? new PlaceMetrics()
    this.#places.set(number, place)
    return place
  }

  /** What a process tells of itself; `isCurrent` unless another one serves in its place. */
  note(place: number, member: object, text: string, isCurrent: boolean): void {
    if (!this.#gone.has(member)) this.#place(place).note(member, samplesIn(text), isCurrent)
  }

  /** It told its last; what it counted stays. */
  end(place: number, member: object): void {
    this.#gone.add(member)
    this.#place(place).end(member)
  }

  /** Each sample with the number of its place as `process`; `heard` are the places that told their own just now. */
  render(heard: ReadonlySet<number>): string {
    const families = new Map<string, { readonly family: Family; readonly lines: Array<string> }>()
    for (const [number, place] of this.#places)
      for (const sample of place.samples(heard.has(number))) {
        const { family } = sample
        const known = families.get(family.name) ?? { family, lines: [] }
        known.lines.push(lineOf(number, sample))
        families.set(family.name, known)
      }
    return [...families]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(
        ([name, { family, lines }]) =>
          `# HELP ${name} ${family.help}\n# TYPE ${name} ${family.type}\n${lines.join("\n")}\n`
      )
      .join("")
  }
}
