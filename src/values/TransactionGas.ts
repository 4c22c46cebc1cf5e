/** How much gas a transaction may have. */

/** By EIP-7825, of one transaction. */
export const MOST_TRANSACTION_GAS = 1n << 24n

/** The estimate and a quarter, which no node takes beyond the most. */
export const gasWithQuarter = (estimate: bigint): bigint => {
  const gas = (estimate * 5n) / 4n
  return gas > MOST_TRANSACTION_GAS && estimate <= MOST_TRANSACTION_GAS ? MOST_TRANSACTION_GAS : gas
}
