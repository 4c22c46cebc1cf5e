/** The known name that a mistyped one most likely meant. */
const distance = (a: string, b: string): number => {
  let before: ReadonlyArray<number> = []
  let previous: ReadonlyArray<number> = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      const isSwapped = row > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      const swapped = isSwapped ? (before[column - 2] ?? 0) + 1 : replaced
      current.push(Math.min(replaced, swapped, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    before = previous
    previous = current
  }
  return previous[b.length] ?? 0
}

const FURTHEST = 4

export const nearest = (
  name: string,
  known: ReadonlyArray<string>,
  furthest = FURTHEST
): string | undefined =>
  known
    .map(candidate => ({ candidate, away: distance(name, candidate) }))
    .filter(({ away }) => away <= furthest)
    .sort((a, b) => a.away - b.away)[0]?.candidate
