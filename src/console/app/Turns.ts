/** Who is asked for signatures of several reads, and so how many go at a time. */

/** Runs a read when its turn has come. */
type Turn = <A>(work: () => Promise<A>) => Promise<A>

/** At once while the tab signs by itself; a wallet is asked one question at a time, and no further one after a refusal. */
export const turnsOf = ({ grant }: { readonly grant?: unknown }): Turn => {
  if (grant !== undefined) return work => work()
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const next = last.then(work)
    last = next
    return next
  }
}
