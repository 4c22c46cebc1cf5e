/** How much gas a transaction may have. */

/** By EIP-7825, of one transaction. */
export const MOST_TRANSACTION_GAS = 1n << 24n

/** The estimate and one part of it more, such as a quarter (4); no node takes what that adds beyond the most. */
export const gasWithPart = (estimate: bigint, part: bigint): bigint => {
  const gas = estimate + estimate / part
  return gas > MOST_TRANSACTION_GAS && estimate <= MOST_TRANSACTION_GAS ? MOST_TRANSACTION_GAS : gas
}
