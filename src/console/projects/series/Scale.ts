/** From amounts and times to places in a picture, with few ticks at round values. */

export interface AmountScale {
  readonly low: bigint
  readonly high: bigint
  /** Lowest first. */
  readonly ticks: ReadonlyArray<bigint>
}

const NICE = [1n, 2n, 5n, 10n]
const AMOUNT_STEPS = 3n

const upTo = (value: bigint, step: bigint): bigint => {
  const whole = (value / step) * step
  return whole < value ? whole + step : whole
}

const niceStep = (span: bigint): bigint => {
  const least = (span + AMOUNT_STEPS - 1n) / AMOUNT_STEPS
  const power = 10n ** BigInt(String(least).length - 1)
  return (NICE.find(factor => factor * power >= least) ?? 10n) * power
}

const ascending = (one: bigint, other: bigint): number => Number(one > other) - Number(one < other)

export const extremesOf = (values: ReadonlyArray<bigint>): readonly [lowest: bigint, highest: bigint] => {
  const sorted = values.toSorted(ascending)
  return [sorted[0] ?? 0n, sorted.at(-1) ?? 0n]
}

/** Zero is always among the ticks. */
export const amountScale = (values: ReadonlyArray<bigint>): AmountScale => {
  const [least, most] = extremesOf([0n, ...values])
  if (least === most) return { low: 0n, high: 1n, ticks: [0n] }
  const step = niceStep(most - least)
  const [low, high] = [-upTo(-least, step), upTo(most, step)]
  const count = Number((high - low) / step) + 1
  return { low, high, ticks: Array.from({ length: count }, (_, index) => low + step * BigInt(index)) }
}

/** Parts of a million are finer than any screen. */
const FINE = 1_000_000n

/** From 0 at the lowest to 1 at the highest. */
export const shareOf = ({ low, high }: AmountScale, value: bigint): number =>
  Number(((value - low) * FINE) / (high - low)) / Number(FINE)

export interface TimeTick {
  readonly at: number
  readonly label: string
}

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400]
const TIME_STEPS = [
  ...[1, 5, 15, 30].map(count => count * MINUTE),
  ...[1, 3, 6, 12].map(count => count * HOUR),
  ...[1, 2, 7, 14].map(count => count * DAY)
]
const MONTH_STEPS = [1, 3, 6, 12, 60, 120, 600]

const isoOf = (at: number): string => new Date(at * 1000).toISOString()

const evenTicks = (from: number, until: number, step: number): ReadonlyArray<TimeTick> => {
  const first = Math.ceil(from / step) * step
  const count = Math.max(0, Math.floor((until - first) / step) + 1)
  return Array.from({ length: count }, (_, index) => {
    const at = first + index * step
    return { at, label: step < DAY && at % DAY !== 0 ? isoOf(at).slice(11, 16) : isoOf(at).slice(0, 10) }
  })
}

const monthTicks = (from: number, until: number, months: number): ReadonlyArray<TimeTick> => {
  const begin = new Date(from * 1000)
  const month = begin.getUTCFullYear() * 12 + begin.getUTCMonth()
  const ticks: Array<TimeTick> = []
  for (let at = Math.floor(month / months) * months; ; at += months) {
    const time = Date.UTC(Math.floor(at / 12), at % 12) / 1000
    if (time > until) return ticks
    if (time >= from) ticks.push({ at: time, label: isoOf(time).slice(0, 7) })
  }
}

/** Times of UTC at most as many as asked, at round ones; the ends where there is no round one between. */
export const timeTicks = (from: number, until: number, most: number): ReadonlyArray<TimeTick> => {
  const found = [
    ...TIME_STEPS.map(step => () => ((until - from) / step > most ? [] : evenTicks(from, until, step))),
    ...MONTH_STEPS.map(months => () => monthTicks(from, until, months))
  ]
  for (const ticks of found) {
    const made = ticks()
    if (made.length > 0 && made.length <= most) return made
  }
  return [{ at: from, label: isoOf(from).slice(0, 16).replace("T", " ") }]
}
