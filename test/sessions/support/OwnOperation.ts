/** An operation that a session's bot makes by itself, without the service. */
import { encodeFunctionData, parseAbi } from "viem"
import type { UserOperation } from "../../../src/values/UserOperation.ts"
import { executionCalldata } from "../../../src/values/WalletExecution.ts"
import { NATIVE_TOKEN } from "../../support/Sandbox.ts"
import type { OperatingBench } from "../../useroperations/support/Operating.ts"
import { signedBySession, withoutSignature } from "./Guarded.ts"
import { BENEFICIARY, type LiveSession, PER_CALL, terminal } from "./Operated.ts"

const terminalAbi = parseAbi(["function pay(uint256,address,uint256,address,uint256,string,bytes) payable"])

/** Such a payment as the bot can have it carried without the service. */
export const ownOperation = async (
  { sandbox }: Pick<OperatingBench, "sandbox">,
  live: LiveSession,
  amount = PER_CALL
): Promise<UserOperation> => {
  const data = encodeFunctionData({
    abi: terminalAbi,
    functionName: "pay",
    args: [2n, NATIVE_TOKEN, amount, BENEFICIARY, 0n, "", "0x"]
  })
  const callData = executionCalldata([{ to: terminal, value: amount, data }])
  const { permissionId, encodedPolicy: encoded } = live.session.compiled
  const bare = await withoutSignature(sandbox, live, callData)
  return signedBySession({ permissionId, encoded }, bare, live.bot.key)
}
