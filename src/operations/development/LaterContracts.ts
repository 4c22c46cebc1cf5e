/** What is known whole of the interfaces of contracts that were published after the pinned inventory; they have more. */
import type { Abi, AbiParameter } from "../../catalog/Abi.ts"

const parameter = (type: string, name = ""): AbiParameter => ({ name, type })

const view = (name: string, inputs: ReadonlyArray<AbiParameter>, outputs: ReadonlyArray<AbiParameter>) =>
  ({ type: "function", name, inputs, outputs, stateMutability: "view" }) as const

const ID = [parameter("bytes32", "id")]

const GATEWAY: Abi = [
  view("ROUTER", [], [parameter("address")]),
  view("DIRECTORY", [], [parameter("address")]),
  view("pendingCallCommitmentOf", ID, [parameter("bytes32")]),
  view("pendingCallFailureOf", ID, [
    parameter("bytes32", "errorHash"),
    parameter("uint32", "count"),
    parameter("uint48", "lastFailureAt"),
    parameter("uint64", "highestGasLimit")
  ])
]

/** As every price feed of the protocol has it. */
const RATIO_FEED: Abi = [view("currentUnitPrice", [parameter("uint256", "decimals")], [parameter("uint256")])]

const INTERFACES: Readonly<Record<string, Abi>> = {
  JBRouterTerminalGateway: GATEWAY,
  JBRatioPriceFeed: RATIO_FEED
}

export const laterInterface = (contract: string): Abi | undefined =>
  Object.hasOwn(INTERFACES, contract) ? INTERFACES[contract] : undefined
