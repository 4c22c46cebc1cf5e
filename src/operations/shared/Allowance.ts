/** Exact allowances before the call that spends them; never unlimited, and never changed from one amount to another. */
import type { PinnedSnapshot } from "../../protocol/PinnedContracts.ts"
import { type Address, Uint256 } from "../../values/Scalars.ts"
import type { AnyPlannedCall, PlannedCall } from "../framework/PlanCalls.ts"
import type { approvalEffects } from "./effects/Approve.ts"

export const NATIVE_TOKEN: Address = "0x000000000000000000000000000000000000EEEe"

/** Catalogued for the project tokens; every ERC-20 has the part of its interface that is used here. */
const ERC20 = "JBERC20"
const APPROVE = "approve(address,uint256)"

/** What a plan takes of a token from its wallet. */
export interface Spending {
  readonly token: Address
  readonly spender: Address
  readonly needed: bigint
  /** What the spender may take already. */
  readonly allowance: bigint
}

export const APPROVAL_WARNINGS: ReadonlyArray<string> = [
  "An approval has to be confirmed before the call that depends on it can be simulated or sent.",
  "The allowance can change between preparation and use; the approvals are exact and replace what is there."
]

/** One read. */
export const readAllowance = ({ readAt }: PinnedSnapshot, token: Address, owner: Address, spender: Address) =>
  readAt(ERC20, token, "allowance", [owner, spender], Uint256)

/** One read. */
export const readTokenBalance = ({ readAt }: PinnedSnapshot, token: Address, owner: Address) =>
  readAt(ERC20, token, "balanceOf", [owner], Uint256)

type Approval = PlannedCall<typeof approvalEffects>

const approval = ({ token, spender }: Spending, amount: bigint): Approval => ({
  contract: ERC20,
  address: token,
  function: APPROVE,
  args: [spender, amount],
  label: amount === 0n ? `Withdraw the allowance of ${spender}` : `Approve ${amount} base units of ${token}`
})

/** Some tokens refuse to change an allowance that is not zero. */
const approvals = (spending: Spending): ReadonlyArray<Approval> => {
  const { allowance, needed } = spending
  if (allowance >= needed) return []
  const exact = approval(spending, needed)
  return allowance === 0n ? [exact] : [approval(spending, 0n), { ...exact, dependsOn: [0] }]
}

/** Begins a plan: the approvals that are missing, and the call that depends on them. */
export const spendingCalls = <const Main extends AnyPlannedCall>(
  spending: Spending | undefined,
  main: Main
): ReadonlyArray<Approval | Main> => {
  const before = spending === undefined ? [] : approvals(spending)
  return before.length === 0 ? [main] : [...before, { ...main, dependsOn: [before.length - 1] }]
}
