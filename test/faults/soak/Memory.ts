/** What a process that lives through a whole run holds of memory and descriptors, and whether it grows. */

export interface Held {
  /** Bytes in use, those outside the engine's heap too. */
  readonly live: number
  /** Of these, what the engine compiled. */
  readonly code: number
  /** Bytes that the process keeps of the machine. */
  readonly resident: number
}

export interface Sample extends Held {
  readonly hours: number
  readonly descriptors: number
}

type Samples = ReadonlyArray<Sample>

export const MEGABYTE = 1e6
/** The first part of a run fills what is kept, up to its bounds. */
const FILLING = 0.25
/** Noise of minutes is larger than what an hour may add. */
const LEAST_HOURS = 1
const MEGABYTES_PER_HOUR = 1
/** Connections that happen to be open at one moment and not at another. */
const DESCRIPTORS_BESIDE = 4

const mean = (numbers: ReadonlyArray<number>): number =>
  numbers.reduce((sum, each) => sum + each, 0) / Math.max(numbers.length, 1)

/** By least squares, for each hour. */
export const slopeOf = (samples: Samples, of: (sample: Sample) => number): number => {
  const middle = mean(samples.map(({ hours }) => hours))
  const level = mean(samples.map(of))
  const spread = samples.reduce((sum, { hours }) => sum + (hours - middle) ** 2, 0)
  const together = samples.reduce((sum, each) => sum + (each.hours - middle) * (of(each) - level), 0)
  return spread === 0 ? 0 : together / spread
}

const part = (samples: Samples, from: number, to: number): Samples =>
  samples.slice(Math.floor(samples.length * from), Math.ceil(samples.length * to))

export interface Growth {
  readonly hours: number
  readonly liveMegabytesPerHour: number
  /** Of which the engine compiled so much, until all that happens has often happened. */
  readonly codeMegabytesPerHour: number
  readonly residentMegabytesPerHour: number
  readonly liveMegabytes: number
  readonly residentMegabytes: number
  readonly descriptors: { readonly early: number; readonly late: number }
}

const rounded = (number: number) => Math.round(number * 100) / 100

export const growthOf = (samples: Samples): Growth => {
  const settled = part(samples, FILLING, 1)
  const late = part(samples, 1 - FILLING, 1)
  const perHour = (of: (sample: Sample) => number) => rounded(slopeOf(settled, of) / MEGABYTE)
  const kept = (of: (sample: Sample) => number) => rounded(mean(late.map(of)) / MEGABYTE)
  const open = (some: Samples) => rounded(mean(some.map(({ descriptors }) => descriptors)))
  return {
    hours: rounded(samples.at(-1)?.hours ?? 0),
    liveMegabytesPerHour: perHour(({ live }) => live),
    codeMegabytesPerHour: perHour(({ code }) => code),
    residentMegabytesPerHour: perHour(({ resident }) => resident),
    liveMegabytes: kept(({ live }) => live),
    residentMegabytes: kept(({ resident }) => resident),
    descriptors: { early: open(part(samples, FILLING, 2 * FILLING)), late: open(late) }
  }
}

/** A run of less than an hour tells nothing of its memory. */
export const grown = ({ hours, liveMegabytesPerHour, descriptors }: Growth): ReadonlyArray<string> => [
  ...(hours >= LEAST_HOURS && liveMegabytesPerHour >= MEGABYTES_PER_HOUR
    ? [`${liveMegabytesPerHour} MB more of live memory each hour`]
    : []),
  ...(descriptors.late > descriptors.early + DESCRIPTORS_BESIDE
    ? [`${descriptors.late} descriptors where there were ${descriptors.early}`]
    : [])
]
