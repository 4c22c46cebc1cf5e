/**
 * What deploy-all-v6 published at commit a6ab40c, after the pinned inventory: addresses alone, for their artifacts are
 * not pinned. They count as recorded for projects that use them already; nothing new is offered of them.
 */
import { checksummed } from "../values/Checksum.ts"
import type { Address } from "../values/Scalars.ts"

export interface LaterDeployment {
  readonly chainId: number
  /** The bare name of the contract. */
  readonly contract: string
  readonly address: Address
  /** Of the package, where it was said. */
  readonly version: string | null
}

export const LATER_COMMIT = "a6ab40c"

/** All chains of the protocol but OP Sepolia, on which there is no Uniswap. */
const SEVEN = [1, 10, 8453, 42161, 84532, 421614, 11155111]

const everywhere = (contract: string, version: string | null, address: `0x${string}`) =>
  SEVEN.map((chainId): LaterDeployment => ({ chainId, contract, version, address: checksummed(address) }))

const RATIO_FEEDS = [
  [1, "0x3fa39399bbc752418ee7e16addeb0b95d6386943"],
  [10, "0xedb20e9963b22bcd3b0652b246aac2c222510d36"],
  [8453, "0x3c2f3742785b0dec9bbb401de6615b70f740e4ca"],
  [42161, "0xa588449291852a49962276d75a25d51d8e285469"],
  [84532, "0x552da193c58a71d8ad9f354f7d09b29f79c12422"],
  [421614, "0xda4bbf677ba6f1f70054bd2bd6240d839141027d"]
] as const

const DEPLOYMENTS: ReadonlyArray<LaterDeployment> = [
  ...everywhere("JBBuybackHook", "1.4.0", "0xb222da5a71e8fb89a5a38b7c920eab5dfbc74b91"),
  ...everywhere("JBRouterTerminal", null, "0x62e2fe718ca3008a6a322deec9903286463f1add"),
  ...everywhere("JBRouterTerminalGateway", null, "0x4a56aef5b6a5b9742abb02ca67c5a85ba183d901"),
  ...RATIO_FEEDS.map(
    ([chainId, address]): LaterDeployment => ({
      chainId,
      contract: "JBRatioPriceFeed",
      version: null,
      address: checksummed(address)
    })
  )
]

/** A contract has one on a chain, or none. */
export const laterDeployment = (chainId: number, contract: string): LaterDeployment | undefined =>
  DEPLOYMENTS.find(row => row.chainId === chainId && row.contract === contract)
