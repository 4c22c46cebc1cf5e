import type { PlannedCall } from "../framework/PlanCalls.ts"
import { NATIVE_TOKEN, type Spending, spendingCalls } from "../shared/Allowance.ts"
import type { PayInput } from "./PayQuote.ts"

interface PayFacts {
  readonly route: "multi-terminal" | "router-terminal"
  readonly minimumBeneficiaryTokenCount: string
  /** Of an ERC-20 alone. */
  readonly spends: Spending | undefined
}

const CONTRACTS = { "multi-terminal": "JBMultiTerminal", "router-terminal": "JBRouterTerminalRegistry" }

export const payCalls = (
  { project, token, amount, beneficiary, memo, metadata }: PayInput,
  { route, minimumBeneficiaryTokenCount, spends }: PayFacts
): ReadonlyArray<PlannedCall> =>
  spendingCalls(spends, {
    contract: CONTRACTS[route],
    function: "pay(uint256,address,uint256,address,uint256,string,bytes)",
    args: [project.projectId, token, amount, beneficiary, minimumBeneficiaryTokenCount, memo, metadata],
    value: token === NATIVE_TOKEN ? BigInt(amount) : 0n,
    label: `Pay project ${project.projectId}`
  })
