/** The known name that a mistyped one most likely meant. */
const distance = (a: string, b: string): number => {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}

const FURTHEST = 4

export const nearest = (name: string, known: ReadonlyArray<string>): string | undefined =>
  known
    .map(candidate => ({ candidate, away: distance(name, candidate) }))
    .filter(({ away }) => away <= FURTHEST)
    .sort((a, b) => a.away - b.away)[0]?.candidate
