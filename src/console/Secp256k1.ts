/** Stands in for the curve of viem's on the page, where signatures are recovered and written but none is made: a sixth of its size. */
import { Signature } from "@noble/secp256k1"

export const secp256k1 = { Signature }
