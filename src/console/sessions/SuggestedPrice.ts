/** Which price of gas a session is to allow, from what the connected wallet's node asks now. */
import { formatUnits } from "viem"
import type { Desk } from "../Desk.ts"
import { askQuantity, chainIdOf } from "../Wallet.ts"

const GWEI_DECIMALS = 9
const LEAST = 10_000_000_000n
/** A week is long. */
const TIMES = 5n

export interface SuggestedPrice {
  /** In gwei. */
  readonly price: string
  readonly about: string
}

const REFUSED = "Operations at a higher price are refused."

/** Undefined where the wallet is on another chain, or does not say. */
const askedNow = async ({ provider }: Desk, chainId: number): Promise<bigint | undefined> => {
  try {
    return (await chainIdOf(provider)) === chainId ? await askQuantity(provider, "eth_gasPrice") : undefined
  } catch {
    return undefined
  }
}

export const suggestedPrice = async (desk: Desk, chainId: number): Promise<SuggestedPrice> => {
  const asked = await askedNow(desk, chainId)
  const wanted = (asked ?? 0n) * TIMES
  const price = formatUnits(wanted > LEAST ? wanted : LEAST, GWEI_DECIMALS)
  return asked === undefined
    ? { price, about: REFUSED }
    : {
        price,
        about: `${REFUSED} The wallet's node asks ${formatUnits(asked, GWEI_DECIMALS)} now; this is ${TIMES} times that, and ${formatUnits(LEAST, GWEI_DECIMALS)} at least.`
      }
}
