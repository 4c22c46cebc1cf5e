/** How much native value a message of a sucker is sent with: the least of a few that a simulation accepts. */

export type TransportKind = "ccip" | "native"

const wei = (milliether: number): bigint => BigInt(milliether) * 10n ** 15n

/** A CCIP message without value would be paid for in LINK. */
const USUAL: Readonly<Record<TransportKind, ReadonlyArray<bigint>>> = {
  ccip: [1, 5, 20, 50, 200, 500].map(wei),
  native: [0, 1, 10, 50].map(wei)
}

/** Rising, and the most that may be sent last. */
export const candidateValues = (kind: TransportKind, most: bigint): ReadonlyArray<bigint> => {
  const usual = USUAL[kind].filter(value => value < most)
  return most === 0n && kind === "ccip" ? [] : [...usual, most]
}

/** Each value of either kind once, for the kind is told by the same round trip. */
export const allCandidates = (most: bigint): ReadonlyArray<bigint> => [
  ...new Set([...candidateValues("native", most), ...candidateValues("ccip", most)])
]
