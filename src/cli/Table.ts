/** Aligned plain text, the same on a terminal and in a file. */
export const textTable = (
  heads: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): string => {
  const lines = [heads, ...rows]
  const widths = heads.map((_, column) => Math.max(...lines.map(cells => cells[column]?.length ?? 0)))
  return lines
    .map(cells =>
      cells
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd()
    )
    .join("\n")
}

/** One `name  value` line each. */
export const facts = (rows: ReadonlyArray<readonly [name: string, value: string]>): string => {
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`.trimEnd()).join("\n")
}

export const indented = (text: string, by = "  "): string =>
  text
    .split("\n")
    .map(line => (line === "" ? line : `${by}${line}`))
    .join("\n")

export const isoSeconds = (seconds: number): string => isoMillis(seconds * 1000)

export const isoMillis = (millis: number): string => new Date(millis).toISOString().replace(/\.000Z$/, "Z")
