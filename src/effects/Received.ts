/** How much a terminal may record as received. */
import { between, is } from "./Judgement.ts"

const NATIVE_TOKEN = "0x000000000000000000000000000000000000EEEe"

/** The native value exactly; of a token no more than planned, because it may charge for its transfer, and nothing only where nothing was sent. */
export const received = (token: string, amount: string, value: string) => {
  if (token === NATIVE_TOKEN) return is(value)
  return amount === "0" ? is(amount) : between("1", amount)
}
