import type { StoredReceipt } from "./Plan.ts"

/** Where a node serves no finality tags, by its confirmations. */
const FINAL_CONFIRMATIONS = 256

export const isFinalBlock = ({
  finality,
  confirmations
}: Pick<StoredReceipt, "finality" | "confirmations">): boolean =>
  finality === "finalized" || (finality === "unknown" && confirmations >= FINAL_CONFIRMATIONS)
