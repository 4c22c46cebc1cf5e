/** Words that are hashes over a token's address: the ids of its pools, and where a pool manager keeps them. */
import { type Address, type Hex, toHex, zeroAddress } from "viem"
import { liquiditySlotOf, stateSlotOf } from "../../../src/operations/routing/Pools.ts"
import { poolIdOf } from "../../../src/protocol/PoolIds.ts"
import { sharedNames } from "../Stored.ts"

const addressOf = (name: string): Address => {
  const address = sharedNames[name] ?? ""
  return toHex(BigInt(address), { size: 20 })
}

const HOOKS = addressOf("JBUniswapV4Hook")

/** What the recorded pools trade a project's token for, at what fee. */
const PAIRED = [
  { other: zeroAddress, fee: 10_000, tickSpacing: 200 },
  { other: addressOf("USDC"), fee: 3_000, tickSpacing: 60 }
]

const wordsOf = (token: Address): ReadonlyArray<Hex> =>
  PAIRED.flatMap(({ other, fee, tickSpacing }) => {
    const [currency0, currency1] = BigInt(other) < BigInt(token) ? [other, token] : [token, other]
    const id = poolIdOf({ currency0, currency1, fee, tickSpacing, hooks: HOOKS })
    return [id, stateSlotOf(id), liquiditySlotOf(id)]
  })

/** Of the recorded token beside those of the sandbox's. */
export const poolWords = (recorded: Address, actual: Address): ReadonlyArray<readonly [Hex, Hex]> => {
  const words = wordsOf(actual)
  return wordsOf(recorded).map((word, at) => [word, words[at] ?? "0x"])
}
