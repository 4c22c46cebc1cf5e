import { ACCOUNT, BENEFICIARY, callTo, HOLDER, NATIVE, TERMINAL } from "./Receipts.ts"
import { atLeast, CYCLE, cycle, type Scenario } from "./Scenario.ts"

const SEND = "sendPayoutsOf(uint256,address,uint256,uint256,uint256)"

export const split = {
  percent: "500000000",
  projectId: "0",
  beneficiary: BENEFICIARY,
  preferAddToBalance: false,
  lockedUntil: "0",
  hook: `0x${"0".repeat(40)}`
}

export const sendPayouts: Scenario = {
  name: "payouts",
  verifier: "send_payouts",
  call: callTo(TERMINAL, SEND, ["2", NATIVE, "1000", "61166", "990"]),
  emissions: [
    {
      contractId: TERMINAL,
      event: "SendPayoutToSplit",
      role: "proof",
      fields: {
        projectId: "2",
        rulesetId: cycle.rulesetId,
        group: String(BigInt(NATIVE)),
        split,
        amount: "500",
        netAmount: "488",
        caller: ACCOUNT
      },
      identity: ["projectId", "caller"],
      free: ["rulesetId", "group", "split", "amount"]
    },
    {
      contractId: TERMINAL,
      event: "SendPayouts",
      role: "proof",
      fields: {
        ...cycle,
        projectId: "2",
        projectOwner: HOLDER,
        amount: "1000",
        amountPaidOut: "1000",
        fee: "25",
        netLeftoverPayoutAmount: "487",
        caller: ACCOUNT
      },
      identity: ["projectId", "caller"],
      free: [...CYCLE, "projectOwner"],
      wrong: { amountPaidOut: "989" },
      allows: { amountPaidOut: value => value === "1000" }
    }
  ],
  events: [
    {
      event: "SendPayouts",
      projectId: "2",
      amount: "1000",
      amountPaidOut: "1000",
      fee: "25",
      netLeftoverPayoutAmount: "487"
    },
    { event: "SendPayoutToSplit", split, amount: "500", netAmount: "488" }
  ]
}

const ALLOWANCE = "useAllowanceOf(uint256,address,uint256,uint256,uint256,address,address,string)"

export const useAllowance: Scenario = {
  name: "a draw on the surplus allowance",
  verifier: "use_allowance",
  call: callTo(TERMINAL, ALLOWANCE, ["2", NATIVE, "100", "1", "90", BENEFICIARY, HOLDER, "for tools"]),
  emissions: [
    {
      contractId: TERMINAL,
      event: "UseAllowance",
      role: "proof",
      fields: {
        ...cycle,
        projectId: "2",
        beneficiary: BENEFICIARY,
        feeBeneficiary: HOLDER,
        amount: "100",
        amountPaidOut: "100",
        netAmountPaidOut: "98",
        memo: "for tools",
        caller: ACCOUNT
      },
      identity: ["projectId", "caller"],
      free: [...CYCLE, "amountPaidOut"],
      wrong: { netAmountPaidOut: "89" },
      allows: { netAmountPaidOut: atLeast(90n) }
    }
  ],
  events: [
    {
      event: "UseAllowance",
      projectId: "2",
      beneficiary: BENEFICIARY,
      amount: "100",
      amountPaidOut: "100",
      netAmountPaidOut: "98"
    }
  ]
}
