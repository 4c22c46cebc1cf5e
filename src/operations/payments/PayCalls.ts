import { NATIVE_TOKEN, type Spending, spendingCalls } from "../shared/Allowance.ts"
import type { PayInput } from "./PayQuote.ts"

const CONTRACTS = {
  "multi-terminal": "JBMultiTerminal",
  "router-terminal": "JBRouterTerminalRegistry"
} as const

type Route = keyof typeof CONTRACTS

interface PayFacts<Through extends Route> {
  readonly route: Through
  readonly minimumBeneficiaryTokenCount: string
  /** Of an ERC-20 alone. */
  readonly spends: Spending | undefined
}

export const payCalls = <Through extends Route>(
  { project, token, amount, beneficiary, memo, metadata }: PayInput,
  { route, minimumBeneficiaryTokenCount, spends }: PayFacts<Through>
) =>
  spendingCalls(spends, {
    contract: CONTRACTS[route],
    function: "pay(uint256,address,uint256,address,uint256,string,bytes)",
    args: [project.projectId, token, amount, beneficiary, minimumBeneficiaryTokenCount, memo, metadata],
    value: token === NATIVE_TOKEN ? BigInt(amount) : 0n,
    label: `Pay project ${project.projectId}`
  })
