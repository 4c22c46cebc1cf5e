/** When processes are held on purpose, so that a lock that one of them holds is not mistaken for a fault. */
export interface Holds {
  /** From before a process may be held until it is gone. */
  readonly begin: () => void
  readonly end: () => void
  /** Another number after each hold, negative during one. */
  readonly count: () => number
}

export const makeHolds = (): Holds => {
  let now = 0
  let total = 1
  return {
    begin: () => {
      now++
      total++
    },
    end: () => {
      now--
    },
    count: () => (now > 0 ? -total : total)
  }
}
