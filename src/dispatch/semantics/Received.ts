/** How much a terminal may record as received. */
import { between, is } from "./Judgement.ts"

const NATIVE_TOKEN = "0x000000000000000000000000000000000000EEEe"

/** The native value exactly; of a token no more than planned, because it may charge for its transfer. */
export const received = (token: string, amount: string, value: string) =>
  token === NATIVE_TOKEN ? is(value) : between("1", amount)
