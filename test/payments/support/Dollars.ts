/** A payment of the pilot's wallet in an ERC-20. */
import { erc20Abi } from "viem"
import { ROUTED_PROJECT_ID } from "../../../sandbox/families/routing.ts"
import { holder } from "../../sandbox/support/Sandbox.ts"
import type { Party } from "../../support/SignedFetch.ts"
import type { ShownOperation } from "../../useroperations/support/Operating.ts"
import { inOneOperation, type PilotBench, type PilotWallet, planOf } from "./PilotBench.ts"

/** Approved and paid from what the wallet has of them. */
export const dollarsBy = async (
  bench: PilotBench,
  { wallet, binding }: PilotWallet,
  by: Party,
  amount: bigint
): Promise<ShownOperation> => {
  const { sandbox, usd: token } = bench
  await sandbox.mined(
    sandbox.client.writeContract({
      ...{ account: holder, address: token, abi: erc20Abi },
      functionName: "transfer",
      args: [wallet.address, amount]
    })
  )
  const input = {
    project: { chainId: 31_337, projectId: String(ROUTED_PROJECT_ID) },
    account: wallet.address,
    beneficiary: wallet.address,
    token,
    amount: String(amount),
    memo: "in dollars"
  }
  return inOneOperation(bench, by, await planOf(bench, binding, by, { operation: "prepare_pay", input }))
}
