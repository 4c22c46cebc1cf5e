/** Payments of the demo project by its first holder, and what they bring. */
import { type Address, parseEther } from "viem"
import { type Acting, holder } from "../../sandbox/support/Sandbox.ts"
import { NATIVE_TOKEN } from "../../support/Sandbox.ts"

export const DEMO = { chainId: 31337, projectId: "2" }
export const BENEFICIARY = "0x00000000000000000000000000000000000000AA"

export const payment = (over: object = {}) => ({
  project: DEMO,
  account: holder.address,
  beneficiary: BENEFICIARY,
  token: NATIVE_TOKEN,
  amount: String(parseEther("1")),
  memo: "thanks",
  ...over
})

export const tokensHeld = ({ client, contract }: Acting, account: Address, projectId = 2n) =>
  client.readContract({
    ...contract("JBTokens"),
    functionName: "totalBalanceOf",
    args: [account, projectId]
  })
