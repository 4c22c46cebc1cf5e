/** Holders of the seeded revnet's tokens, on a chain with a service that prepares their loans. */
import { type Address, encodeFunctionData, type Hex, parseAbi, parseEther } from "viem"
import { assert } from "vitest"
import type { Plan } from "../../../src/plans/Plan.ts"
import { onSandbox } from "../../sandbox/support/Sandbox.ts"
import { type PlanBench, startPlanBench } from "../../support/PlanBench.ts"
import { newPayer } from "../../support/RelayBench.ts"
import { rpc } from "../../support/Rpc.ts"
import { NATIVE_TOKEN } from "../../support/Sandbox.ts"
import type { Party } from "../../support/SignedFetch.ts"

export const REVNET = { chainId: 31337, projectId: "4" }
const REVNET_ID = 4n

export const abi = parseAbi([
  "struct Loan { uint112 amount; uint112 collateral; uint48 createdAt; uint16 prepaidFeePercent; uint32 prepaidDuration; address sourceToken; }",
  "struct Permissions { address operator; uint64 projectId; uint8[] permissionIds; }",
  "function addToBalanceOf(uint256 projectId, address token, uint256 amount, bool shouldReturnHeldFees, string memo, bytes metadata) payable",
  "function approve(address spender, uint256 value) returns (bool)",
  "function allowance(address owner, address spender) view returns (uint256)",
  "function balanceOf(address account) view returns (uint256)",
  "function claimTokensFor(address holder, uint256 projectId, uint256 tokenCount, address beneficiary)",
  "function loanOf(uint256 loanId) view returns (Loan)",
  "function ownerOf(uint256 tokenId) view returns (address)",
  "function pay(uint256 projectId, address token, uint256 amount, address beneficiary, uint256 minReturnedTokens, string memo, bytes metadata) payable returns (uint256 beneficiaryTokenCount)",
  "function permissionsOf(address operator, address account, uint256 projectId) view returns (uint256)",
  "function setPermissionsFor(address account, Permissions permissionsData)",
  "function totalBalanceOf(address holder, uint256 projectId) view returns (uint256)",
  "function totalBorrowedFrom(uint256 revnetId, address token) view returns (uint256)",
  "function totalCollateralOf(uint256 revnetId) view returns (uint256)"
])

export const startLoanBench = async () => {
  const bench = await startPlanBench()
  const { client, mined } = onSandbox(bench.chain.url, bench.manifest)
  return { ...bench, client, mined }
}

export type LoanBench = Awaited<ReturnType<typeof startLoanBench>>

export const at = ({ manifest }: Pick<PlanBench, "manifest">, name: string): Address =>
  manifest.deployments.find(({ alias }) => alias === name)?.address ?? assert.fail(`no ${name}`)

export const sent = async (
  { client, mined }: LoanBench,
  from: Party,
  to: Address,
  data: Hex,
  value = 0n
): Promise<void> => {
  await mined(client.sendTransaction({ account: from.key, to, data, value }))
}

export const granted = (
  bench: LoanBench,
  from: Party,
  operator: Address,
  permissionIds: ReadonlyArray<number>
) => {
  const permissionsData = { operator, projectId: REVNET_ID, permissionIds: [...permissionIds] }
  const args = [from.key.address, permissionsData] as const
  const data = encodeFunctionData({ abi, functionName: "setPermissionsFor", args })
  return sent(bench, from, at(bench, "JBPermissions"), data)
}

/** A new wallet that has paid the revnet an ether. */
export const newHolder = async (bench: LoanBench): Promise<Party> => {
  const party = await newPayer(bench)
  const value = parseEther("1")
  const args = [REVNET_ID, NATIVE_TOKEN, value, party.key.address, 0n, "", "0x"] as const
  const data = encodeFunctionData({ abi, functionName: "pay", args })
  await sent(bench, party, at(bench, "JBMultiTerminal"), data, value)
  return party
}

export const tokensOf = ({ client, ...bench }: LoanBench, holder: Address, revnetId = REVNET_ID) =>
  client.readContract({
    address: at(bench, "JBTokens"),
    abi,
    functionName: "totalBalanceOf",
    args: [holder, revnetId]
  })

export const loanOf = ({ client, ...bench }: LoanBench, loanId: string) =>
  client.readContract({
    address: at(bench, "REVLoans"),
    abi,
    functionName: "loanOf",
    args: [BigInt(loanId)]
  })

export const loanOwner = ({ client, ...bench }: LoanBench, loanId: string) =>
  client.readContract({
    address: at(bench, "REVLoans"),
    abi,
    functionName: "ownerOf",
    args: [BigInt(loanId)]
  })

export const borrowing = (holder: Party, over: object = {}) => ({
  project: REVNET,
  holder: holder.key.address,
  account: holder.key.address,
  token: NATIVE_TOKEN,
  collateralCount: String(parseEther("400")),
  prepaidFeePercent: 25,
  beneficiary: holder.key.address,
  ...over
})

/** A member of an event that proved the effect of the plan's last step. */
export const proven = (plan: Plan, event: string, member: string): string => {
  const events = plan.steps.at(-1)?.semantic?.events ?? []
  const found = events.find(each => Object(each).event === event)
  return String(Object(found)[member] ?? assert.fail(`no ${member} in ${event}`))
}

/** Moves the chain's clock. */
export const pass = async ({ chain }: LoanBench, seconds: number): Promise<void> => {
  await rpc(chain.url, "evm_increaseTime", [seconds])
  await rpc(chain.url, "anvil_mine", ["0x1"])
}
