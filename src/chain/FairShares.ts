/** Shares out so many calls of a minute: half of them as equal shares that are kept for those who come, the rest to whoever asks first. */

export interface FairShares {
  /** Counts the calls, or tells that neither the asker's own share nor what is free holds them all. */
  readonly take: (asker: string, calls: number) => boolean
  /** What nobody's share holds: as many of the calls as there are of it, for who has no share. */
  readonly takeFree: (calls: number) => number
  readonly freeLeft: () => number
  /** Of a minute. */
  readonly limit: number
  /** What nobody took yet. */
  readonly left: () => number
  /** Begins the next minute. */
  readonly turn: () => void
  /** What is kept in this minute for the asker, who may not have come yet. */
  readonly share: (asker: string) => number
}

const FEWEST_SEATS = 4
/** Of so many calls one is kept for newcomers who find no seat: each has a part of what those before left. */
const LATE_PART = 16
const PART_OF_LATE = 4

interface Minute {
  /** Who asked in the minute before keeps a seat; as many newcomers get one, first come first served. */
  readonly returning: ReadonlySet<string>
  readonly newSeats: number
  readonly share: number
  readonly late: number
  readonly free: number
}

const minuteAfter = (limit: number, returning: ReadonlySet<string>): Minute => {
  const seats = Math.max(FEWEST_SEATS, 2 * returning.size)
  const share = Math.floor(limit / 2 / seats)
  const late = Math.floor(limit / LATE_PART)
  return { returning, newSeats: seats - returning.size, share, late, free: limit - share * seats - late }
}

export const makeFairShares = (limit: number): FairShares => {
  let minute = minuteAfter(limit, new Set())
  let own = new Map<string, { readonly share: number; left: number }>()
  let newcomers = 0
  let lateSpent = 0
  let freeSpent = 0
  let spent = 0

  const lateShare = () => Math.min(minute.share, Math.floor((minute.late - lateSpent) / PART_OF_LATE))

  const seat = (asker: string) => {
    const isNew = !minute.returning.has(asker)
    const isSeated = !isNew || newcomers < minute.newSeats
    const share = isSeated ? minute.share : lateShare()
    if (!isSeated) lateSpent += share
    else if (isNew) newcomers += 1
    const seated = { share, left: share }
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
      spent += calls
      return true
    },
    takeFree: calls => {
      const taken = Math.min(calls, freeLeft())
      freeSpent += taken
      spent += taken
      return taken
    },
    freeLeft,
    limit,
    left: () => limit - spent,
    turn: () => {
      minute = minuteAfter(limit, new Set(own.keys()))
      own = new Map()
      newcomers = 0
      lateSpent = 0
      freeSpent = 0
      spent = 0
    },
    share: asker => (own.get(asker) ?? minute).share
  }
}
