/** What each onchain operation is asked on the sandbox, and what it refuses with where the sandbox lacks its contracts. */
import { NATIVE_TOKEN } from "../../support/Sandbox.ts"

interface Asked {
  readonly input: unknown
  readonly source?: string
  readonly refusal?: string
}

const HOLDER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
const OWNER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
const project = { chainId: 31337, projectId: "2" }

const amount = "1000000000000000000"

export const SANDBOX_INPUTS: Readonly<Record<string, Asked>> = {
  get_project: { input: { project }, source: "onchain" },
  get_rulesets: { input: { project } },
  get_position: { input: { project, account: HOLDER } },
  get_permissions: { input: { project, operator: HOLDER, account: OWNER, permissionIds: [1, 2] } },
  get_bridges: { input: { project } },
  quote_pay: { input: { project, account: HOLDER, beneficiary: HOLDER, token: NATIVE_TOKEN, amount } },
  quote_cash_out: {
    input: {
      project,
      holder: HOLDER,
      beneficiary: HOLDER,
      tokenToReclaim: NATIVE_TOKEN,
      cashOutCount: amount
    }
  },
  quote_payout: {
    input: { project, account: OWNER, token: NATIVE_TOKEN, amount: "1000000000", currency: 61_166 }
  },
  preview_ruleset_change: { input: undefined },
  quote_loan: {
    input: {
      project,
      holder: HOLDER,
      beneficiary: HOLDER,
      token: NATIVE_TOKEN,
      collateralCount: amount,
      prepaidFeePercent: 25
    }
  },
  get_loan: { input: { chainId: 31337, loanId: "1" } },
  get_routing: { input: { project } },
  get_721_shop: { input: { project } },
  quote_721_pay: {
    input: {
      project,
      account: HOLDER,
      beneficiary: HOLDER,
      token: NATIVE_TOKEN,
      amount,
      tierIds: [1]
    }
  },
  get_revnet: { input: { project } }
}
