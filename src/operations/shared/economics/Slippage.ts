import { mulDiv } from "./Arithmetic.ts"

const BASIS_POINTS = 10_000n

/** The least to accept for a quoted amount; never nothing for something. */
export const slippageFloor = (quoted: bigint, slippageBps: number): bigint => {
  const floor = mulDiv(quoted, BASIS_POINTS - BigInt(slippageBps), BASIS_POINTS)
  return quoted > 0n && floor === 0n ? 1n : floor
}
