/** What a list of shares adds up to. */
import { percentText } from "../fields/Exactly.ts"

const WHOLE = 1_000_000_000

/** `parts` holds undefined for a share that is not typed yet. */
export const sharesWords = (parts: ReadonlyArray<string | undefined>): string => {
  const sum = parts.reduce((all, each) => all + BigInt(each ?? 0), 0n)
  const open = parts.filter(each => each === undefined).length
  const rest = BigInt(WHOLE) - sum
  const left =
    rest >= 0n ? `${percentText(rest, WHOLE)} is left to the project's owner` : "more than the whole"
  return `${percentText(sum, WHOLE)} shared, ${left}${open === 0 ? "." : `; ${open} not typed yet.`}`
}
