/** Workers on both databases, in what no machine and no other work changes: it takes a hundredth of the time that requests take. */
import { type Look, lookAt } from "./growthPages.ts"
import { sizesOf } from "./growthSizes.ts"
import { lookTable, sizeTable } from "./growthTable.ts"

export type Side = "empty" | "filled"

export type Urls = Readonly<Record<Side, string>>

const SIDES: ReadonlyArray<Side> = ["empty", "filled"]

const ALONE = 5

/** In alternating rounds, either side first in turn: a machine drifts. */
export const alternating = async (rounds: number, use: (side: Side, round: number) => Promise<void>) => {
  for (let round = 0; round < rounds; round++)
    for (const side of round % 2 === 0 ? SIDES : SIDES.toReversed()) await use(side, round)
}

export const measureLooks = async (urls: Urls, rounds: number) => {
  const found = new Map<string, Readonly<Record<Side, Array<Look>>>>()
  await alternating(rounds, async side => {
    for (const [name, look] of await lookAt(urls[side])) {
      const both = found.get(name) ?? { empty: [], filled: [] }
      found.set(name, both)
      both[side].push(look)
    }
  })
  return found
}

/** The workers alone. */
export const workerTables = async (urls: Urls, amounts: string): Promise<string> => {
  const sizes = await sizesOf(urls.filled)
  const looks = lookTable(await measureLooks(urls, ALONE))
  const head = `${amounts}; ${ALONE} alternating rounds.`
  return [head, looks, sizeTable(sizes, await sizesOf(urls.filled))].join("\n\n")
}
