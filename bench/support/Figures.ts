/** Medians, spreads and bars, as lines for people. */
export const median = (values: ReadonlyArray<number>): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? 0)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

const spread = (values: ReadonlyArray<number>): number =>
  (Math.max(...values) - Math.min(...values)) / median(values)

export const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

export const sayRate = (name: string, values: ReadonlyArray<number>): void =>
  say(
    `  ${name.padEnd(34)} ${median(values).toFixed(0).padStart(7)}/s   spread ${(spread(values) * 100).toFixed(0)} %`
  )

const bars = { met: 0, missed: 0 }

export const sayBar = (name: string, value: string, met: boolean, bar: string): void => {
  bars[met ? "met" : "missed"] += 1
  say(`  ${met ? "met   " : "MISSED"} ${name.padEnd(44)} ${value.padStart(10)}   bar ${bar}`)
}

/** How many bars were met and missed while it worked. */
export const countingBars = async (work: () => Promise<void>): Promise<string> => {
  const before = { ...bars }
  await work()
  return `${bars.met - before.met} bars met, ${bars.missed - before.missed} missed`
}

export const listed = (millis: ReadonlyArray<number>): string =>
  millis.map(each => each.toFixed(1)).join(", ")
