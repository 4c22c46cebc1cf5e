/** How the protocol's contracts round: towards zero, with products of full width (PRBMath's mulDiv). */

export const MAX_RESERVED_PERCENT = 10_000n
export const MAX_CASH_OUT_TAX_RATE = 10_000n
export const MAX_WEIGHT_CUT_PERCENT = 1_000_000_000n
export const SPLITS_TOTAL_PERCENT = 1_000_000_000n
export const WEIGHT_SCALE = 10n ** 18n

const UINT256_LIMIT = 1n << 256n

export const mulDiv = (value: bigint, numerator: bigint, denominator: bigint): bigint =>
  (value * numerator) / denominator

/** A contract reverts where this does not hold for a result. */
export const fitsUint256 = (value: bigint): boolean => value >= 0n && value < UINT256_LIMIT

export const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
