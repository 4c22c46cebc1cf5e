/** What somebody who mistyped a word most likely meant. */
import { nearest } from "../settings/nearest.ts"

const LONGEST_REACH = 3

/** One slip in a short word, one more in every four letters. */
const reachOf = (word: string): number => Math.min(LONGEST_REACH, 1 + Math.floor((word.length - 1) / 4))

export const likelyMeant = (word: string, known: ReadonlyArray<string>): string | undefined =>
  nearest(word, known, reachOf(word))

/** After what else is advised. */
export const didYouMean = (meant: string | undefined, advice: string): string =>
  meant === undefined ? advice : `${advice}\nDid you mean ${meant}?`
