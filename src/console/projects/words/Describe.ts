/** A picture said in a sentence, and as a table of the same numbers. */
import { instantText } from "../../../review/Times.ts"
import type { Gap, Hold } from "../series/Holds.ts"
import type { Beat } from "../series/Picture.ts"
import { extremesOf } from "../series/Scale.ts"

export type TableRow = ReadonlyArray<string>

export type Shown = (value: bigint) => string

const MOST_ROWS = 500

export const instantAt = (seconds: number): string => instantText(seconds * 1000)

/** Newest first. */
export const holdTable = (holds: ReadonlyArray<Hold>, show: Shown): ReadonlyArray<TableRow> =>
  holds
    .slice(-MOST_ROWS)
    .toReversed()
    .map(({ from, until, value }) => [
      instantAt(from),
      until === from ? "not known" : instantAt(until),
      show(value)
    ])

export const beatTable = (beats: ReadonlyArray<Beat>, show: Shown): ReadonlyArray<TableRow> =>
  beats
    .slice(-MOST_ROWS)
    .toReversed()
    .map(({ at, value }) => [instantAt(at), show(value)])

const gapText = (gaps: number): string => {
  if (gaps === 0) return ""
  return gaps === 1 ? " Of one stretch nothing is known." : ` Of ${gaps} stretches nothing is known.`
}

const spanText = ({ from, until }: Gap): string => `From ${instantAt(from)} to ${instantAt(until)}`

export const describedLine = (holds: ReadonlyArray<Hold>, span: Gap, gaps: number, show: Shown): string => {
  const last = holds.at(-1)
  if (last === undefined) return `${spanText(span)} nothing is known.`
  const [low, high] = extremesOf(holds.map(({ value }) => value))
  const range =
    low === high
      ? `always ${show(low)}`
      : `between ${show(low)} and ${show(high)}, at last ${show(last.value)}`
  return `${spanText(span)}: ${range}.${gapText(gaps)}`
}

export const describedBars = (beats: ReadonlyArray<Beat>, span: Gap, gaps: number, show: Shown): string => {
  if (beats.length === 0) return `${spanText(span)}: none.${gapText(gaps)}`
  const sum = beats.reduce((total, { value }) => total + value, 0n)
  const times = beats.length === 1 ? "one of" : `${beats.length}, in all`
  return `${spanText(span)}: ${times} ${show(sum)}.${gapText(gaps)}`
}
