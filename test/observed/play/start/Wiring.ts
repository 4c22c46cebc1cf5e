/** Who may do what, what things cost and who has dollars. */
import { encodeFunctionData, parseAbi } from "viem"
import { ETH_CURRENCY, NATIVE_CURRENCY } from "../../../../sandbox/calls.ts"
import { protocolAbi } from "../../../../sandbox/protocolAbi.ts"
import { DOLLARS, named } from "../Placed.ts"
import { type Sent, sent } from "./Sent.ts"

export const USD_CURRENCY = 2

/** The last four bytes of its address. */
export const USDC_CURRENCY = Number(BigInt(named("USDC")) & 0xffffffffn)

const ETHER_FEED = named("JBChainlinkV3SequencerPriceFeed__ETH_USD")
const DOLLAR_FEED = named("JBChainlinkV3SequencerPriceFeed__USDC_USD")

const feeds = [
  [ETH_CURRENCY, NATIVE_CURRENCY, named("JBMatchingPriceFeed")],
  [USD_CURRENCY, NATIVE_CURRENCY, ETHER_FEED],
  [USD_CURRENCY, ETH_CURRENCY, ETHER_FEED],
  [USD_CURRENCY, USDC_CURRENCY, DOLLAR_FEED]
] as const

const abi = parseAbi(["function mint(address account, uint256 amount)"])

const RICH = ["account1", "account2", "account3", "account4"]

export const wiring: ReadonlyArray<Sent> = [
  sent(
    named("JBDirectory"),
    encodeFunctionData({
      abi: protocolAbi,
      functionName: "setIsAllowedToSetFirstController",
      args: [named("JBController"), true]
    })
  ),
  ...feeds.map(([pricing, unit, feed]) =>
    sent(
      named("JBPrices"),
      encodeFunctionData({
        abi: protocolAbi,
        functionName: "addPriceFeedFor",
        args: [0n, BigInt(pricing), BigInt(unit), feed]
      })
    )
  ),
  ...RICH.map(account =>
    sent(named("USDC"), encodeFunctionData({ abi, functionName: "mint", args: [named(account), DOLLARS] }))
  )
]
