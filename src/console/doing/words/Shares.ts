/** What a list of shares adds up to. */
import { shareText } from "../fields/Exactly.ts"

const WHOLE = 1_000_000_000

/** `parts` holds undefined for a share that is not typed yet; `heir` says to whom the rest is left. */
export const sharesWords = (parts: ReadonlyArray<string | undefined>, heir: string): string => {
  const sum = parts.reduce((all, each) => all + BigInt(each ?? 0), 0n)
  const open = parts.filter(each => each === undefined).length
  const rest = BigInt(WHOLE) - sum
  const left = rest >= 0n ? `${shareText(rest, WHOLE)} is left${heir}` : "more than the whole"
  return `${shareText(sum, WHOLE)} shared, ${left}${open === 0 ? "." : `; ${open} not typed yet.`}`
}
