/** One after the other, whoever asks at once: a node gives its account's next nonce twice where it is asked twice at once. */
export const takingTurns = (): (<A>(act: () => Promise<A>) => Promise<A>) => {
  let last: Promise<unknown> = Promise.resolve()
  return act => {
    const turn = last.then(act)
    last = turn.catch(() => undefined)
    return turn
  }
}
