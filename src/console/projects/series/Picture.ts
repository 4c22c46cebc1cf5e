/** Where lines, bars, gaps and ticks stand in a picture of a width and a height. */
import { type Gap, gapsIn, type Hold } from "./Holds.ts"
import { type AmountScale, amountScale, shareOf, timeTicks } from "./Scale.ts"

/** What happened at one time. */
export interface Beat {
  readonly at: number
  readonly value: bigint
}

export type Drawn =
  | { readonly kind: "line"; readonly holds: ReadonlyArray<Hold> }
  | { readonly kind: "bars"; readonly beats: ReadonlyArray<Beat>; readonly gaps: ReadonlyArray<Gap> }

export interface Frame {
  readonly width: number
  readonly height: number
  readonly span: Gap
  /** How an amount on the axis reads. */
  readonly label: (value: bigint) => string
}

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface PictureShapes {
  readonly path: string
  /** Of values of which it is not known how long they held. */
  readonly dots: ReadonlyArray<{ readonly x: number; readonly y: number }>
  readonly bars: ReadonlyArray<Box>
  readonly gaps: ReadonlyArray<Box>
  /** The middle of a label stands below its time, or as near as keeps all of it within the picture. */
  readonly times: ReadonlyArray<{ readonly x: number; readonly labelX: number; readonly label: string }>
  readonly amounts: ReadonlyArray<{ readonly y: number; readonly label: string }>
  /** Where the axis of amounts stands. */
  readonly left: number
}

/** Room around it; on the left it is as wide as the labels. */
export const MARGIN = { right: 12, top: 10, bottom: 24 }
const [DIGIT_WIDTH, BESIDE] = [7.5, 14]
/** A label with room on both sides, of which the first and the last take some. */
const TICK_WIDTH = 95
/** Of a time's characters, which are not digits alone. */
const CHARACTER_WIDTH = 7
const BAR_WIDTH = 3

const rounded = (pixels: number): number => Math.round(pixels * 10) / 10

const leftOf = (labels: ReadonlyArray<string>, width: number): number =>
  Math.min(Math.ceil(Math.max(...labels.map(({ length }) => length)) * DIGIT_WIDTH + BESIDE), width / 2)

const labelled = (x: number, label: string, width: number) => {
  const half = (label.length * CHARACTER_WIDTH) / 2
  return { x, labelX: Math.max(half, Math.min(width - half, x)), label }
}

interface Places {
  readonly x: (at: number) => number
  readonly y: (value: bigint) => number
}

const placesIn = ({ width, height, span }: Frame, scale: AmountScale, left: number): Places => {
  const across = width - left - MARGIN.right
  const down = height - MARGIN.top - MARGIN.bottom
  const length = Math.max(1, span.until - span.from)
  return {
    x: at => rounded(left + ((at - span.from) / length) * across),
    y: value => rounded(MARGIN.top + (1 - shareOf(scale, value)) * down)
  }
}

/** Level while a value holds, upright where the next one takes its place, broken over a gap. */
const stepsOf = (holds: ReadonlyArray<Hold>, { x, y }: Places): string =>
  holds
    .map(({ from, until, value }, index) => {
      const joins = index > 0 && holds[index - 1]?.until === from
      return `${joins ? `V${y(value)}` : `M${x(from)} ${y(value)}`}H${x(until)}`
    })
    .join("")

const barOf = ({ at, value }: Beat, { x, y }: Places): Box => {
  const [one, other] = [y(value), y(0n)]
  return {
    x: x(at) - BAR_WIDTH / 2,
    y: Math.min(one, other),
    width: BAR_WIDTH,
    height: Math.max(1, rounded(Math.abs(other - one)))
  }
}

const valuesIn = (drawn: Drawn): ReadonlyArray<bigint> =>
  drawn.kind === "line" ? drawn.holds.map(({ value }) => value) : drawn.beats.map(({ value }) => value)

export const shapesOf = (drawn: Drawn, frame: Frame): PictureShapes => {
  const scale = amountScale(valuesIn(drawn))
  const labels = scale.ticks.map(frame.label)
  const left = leftOf(labels, frame.width)
  const places = placesIn(frame, scale, left)
  const { x, y } = places
  const holds = drawn.kind === "line" ? drawn.holds : []
  const gaps = drawn.kind === "line" ? gapsIn(drawn.holds, frame.span) : drawn.gaps
  const most = Math.max(2, Math.floor((frame.width - left - MARGIN.right) / TICK_WIDTH))
  return {
    path: stepsOf(holds, places),
    dots: holds
      .filter(({ from, until }) => from === until)
      .map(({ from, value }) => ({ x: x(from), y: y(value) })),
    bars: drawn.kind === "bars" ? drawn.beats.map(beat => barOf(beat, places)) : [],
    gaps: gaps.map(({ from, until }) => ({
      x: x(from),
      y: MARGIN.top,
      width: rounded(x(until) - x(from)),
      height: frame.height - MARGIN.top - MARGIN.bottom
    })),
    times: timeTicks(frame.span.from, frame.span.until, most).map(({ at, label }) =>
      labelled(x(at), label, frame.width)
    ),
    amounts: scale.ticks.map((value, index) => ({ y: y(value), label: labels[index] ?? "" })),
    left
  }
}
