/** Random payments, some of them in the chain's own token. */
import fc from "fast-check"
import { anAddress, aProject, aUint } from "./Encodings.ts"

export const NATIVE = "0x000000000000000000000000000000000000EEEe"

/** Members of the inputs of all operations that pay. */
export const aPayment = {
  project: aProject,
  account: anAddress,
  token: fc.oneof(fc.constant<`0x${string}`>(NATIVE), anAddress),
  amount: aUint(256, 1n),
  beneficiary: anAddress
}
