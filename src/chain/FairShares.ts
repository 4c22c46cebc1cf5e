/** Shares out so many calls of a minute: half of them as equal shares that are kept for those who come, the rest to whoever asks first. */

export interface FairShares {
  /** Counts the calls, or tells that neither the asker's own share nor what is free holds them all. */
  readonly take: (asker: string, calls: number) => boolean
  /** What nobody's share holds: as many of the calls as there are of it, for who has no share. */
  readonly takeFree: (calls: number) => number
  readonly freeLeft: () => number
  /** Begins the next minute. */
  readonly turn: () => void
  /** What is kept in this minute for each who has a seat. */
  readonly share: () => number
}

const FEWEST_SEATS = 4

interface Minute {
  /** Who asked in the minute before keeps a seat; as many newcomers get one, first come first served. */
  readonly returning: ReadonlySet<string>
  readonly newSeats: number
  readonly share: number
  readonly free: number
}

const minuteAfter = (limit: number, returning: ReadonlySet<string>): Minute => {
  const seats = Math.max(FEWEST_SEATS, 2 * returning.size)
  const share = Math.floor(limit / 2 / seats)
  return { returning, newSeats: seats - returning.size, share, free: limit - share * seats }
}

export const makeFairShares = (limit: number): FairShares => {
  let minute = minuteAfter(limit, new Set())
  let own = new Map<string, { left: number }>()
  let newcomers = 0
  let freeSpent = 0

  const seat = (asker: string) => {
    const isNew = !minute.returning.has(asker)
    const isSeated = !isNew || newcomers < minute.newSeats
    if (isNew && isSeated) newcomers += 1
    const seated = { left: isSeated ? minute.share : 0 }
    own.set(asker, seated)
    return seated
  }

  const freeLeft = () => minute.free - freeSpent

  return {
    take: (asker, calls) => {
      const seated = own.get(asker) ?? seat(asker)
      const fromOwn = Math.min(seated.left, calls)
      if (calls - fromOwn > freeLeft()) return false
      freeSpent += calls - fromOwn
      seated.left -= fromOwn
      return true
    },
    takeFree: calls => {
      const taken = Math.min(calls, freeLeft())
      freeSpent += taken
      return taken
    },
    freeLeft,
    turn: () => {
      minute = minuteAfter(limit, new Set(own.keys()))
      own = new Map()
      newcomers = 0
      freeSpent = 0
    },
    share: () => minute.share
  }
}
