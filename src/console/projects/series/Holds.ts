/** What held when: a value from one time until another; where nothing is known there is none, and so a gap. */

/** Times in Unix seconds. */
export interface Hold {
  readonly from: number
  readonly until: number
  readonly value: bigint
}

export interface Moment {
  readonly block: number
  readonly at: number
  readonly value: bigint
}

/** What was told, the blocks of which the source gives less than it holds, and how far it has come. */
export interface Told {
  readonly moments: ReadonlyArray<Moment>
  readonly lost: ReadonlyArray<number>
  readonly until: number
}

/** A value holds until the next one, or as long as the source has followed; behind a lost one nothing is known. */
export const holdsOf = ({ moments, lost, until }: Told): ReadonlyArray<Hold> => {
  const sorted = moments.toSorted((one, other) => one.block - other.block)
  return sorted.flatMap(({ block, at, value }, index): ReadonlyArray<Hold> => {
    const next = sorted[index + 1]
    const isBroken = lost.some(gone => gone > block && (next === undefined || gone < next.block))
    const end = isBroken ? at : (next?.at ?? Math.max(at, until))
    return end === at && !isBroken && next !== undefined ? [] : [{ from: at, until: end, value }]
  })
}

export interface Gap {
  readonly from: number
  readonly until: number
}

/** Where of a span nothing is known. */
export const gapsIn = (holds: ReadonlyArray<Hold>, { from, until }: Gap): ReadonlyArray<Gap> => {
  const ends = [from, ...holds.map(hold => hold.until)]
  const starts = [...holds.map(hold => hold.from), until]
  return starts.flatMap((start, index) => {
    const end = ends[index] ?? from
    return start > end ? [{ from: end, until: start }] : []
  })
}
