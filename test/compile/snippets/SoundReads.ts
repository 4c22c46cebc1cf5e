import type { PinnedSnapshot } from "../../../src/protocol/PinnedContracts.ts"
import { Address, Uint256 } from "../../../src/values/Scalars.ts"

export const reads = ({ read, readAt, simulate }: PinnedSnapshot, account: Address) => [
  read("JBDirectory", "controllerOf", ["2"], Address),
  readAt("JBERC20", account, "balanceOf", [account], Uint256),
  simulate(
    { contract: "JBTokens", function: "claimTokensFor", args: [account, 2n, "1", account], from: account },
    Uint256
  )
]
