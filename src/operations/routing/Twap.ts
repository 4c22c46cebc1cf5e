/** What an oracle's two observations say about the time between them. */

export interface Observations {
  readonly tickCumulatives: readonly [from: bigint, to: bigint]
  readonly secondsPerLiquidityCumulativeX128s: readonly [from: bigint, to: bigint]
}

export interface TimeWeighted {
  readonly meanTick: number
  /** Null where the oracle counted no seconds per liquidity, because no mean follows from that. */
  readonly harmonicMeanLiquidity: bigint | null
}

export type TwapQuality =
  | "fullWindow"
  | "partialWindow"
  | "unseeded"
  | "coverageUnknown"
  | "observationFailed"

const floored = (dividend: bigint, divisor: bigint): bigint => {
  const quotient = dividend / divisor
  return dividend % divisor < 0n ? quotient - 1n : quotient
}

/** The cumulative of seconds per liquidity is meant to wrap around at 160 bits. */
export const timeWeighted = (
  { tickCumulatives: [c0, c1], secondsPerLiquidityCumulativeX128s: [s0, s1] }: Observations,
  windowSeconds: number
): TimeWeighted => {
  const window = BigInt(windowSeconds)
  const perLiquidity = BigInt.asUintN(160, s1 - s0)
  return {
    meanTick: Number(floored(c1 - c0, window)),
    harmonicMeanLiquidity: perLiquidity === 0n ? null : (window << 128n) / perLiquidity
  }
}

/** `undefined` stands for a question that was not answered. */
export const twapQuality = (
  windowSeconds: number,
  coverageSeconds: number | undefined,
  observations: Observations | undefined
): TwapQuality => {
  if (coverageSeconds === undefined) return "coverageUnknown"
  if (coverageSeconds === 0) return "unseeded"
  if (observations === undefined) return "observationFailed"
  return coverageSeconds < windowSeconds ? "partialWindow" : "fullWindow"
}
