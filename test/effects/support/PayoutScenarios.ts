import { TERMINAL } from "./ContractIds.ts"
import { ACCOUNT, BENEFICIARY, callTo, HOLDER, NATIVE } from "./Receipts.ts"
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

const told = { projectId: "2", token: NATIVE, amount: "1000", caller: ACCOUNT }

/** `SendPayouts` tells a fee alike that was paid, is held or came back. */
export const payoutFees: Scenario = {
  ...sendPayouts,
  name: "payouts whose fee is told",
  emissions: [
    ...sendPayouts.emissions,
    {
      contractId: TERMINAL,
      event: "HoldFee",
      role: "row",
      fields: { ...told, fee: "25", beneficiary: HOLDER },
      identity: [],
      free: ["projectId", "token", "amount", "fee", "beneficiary", "caller"]
    },
    {
      contractId: TERMINAL,
      event: "FeeReverted",
      role: "row",
      fields: { ...told, feeProjectId: "1", reason: "0x" },
      identity: [],
      free: ["projectId", "token", "feeProjectId", "amount", "reason", "caller"]
    }
  ],
  events: [
    ...sendPayouts.events,
    { event: "HoldFee", token: NATIVE, amount: "1000" },
    { event: "FeeReverted", token: NATIVE, amount: "1000" }
  ]
}

const ALLOWANCE = "useAllowanceOf(uint256,address,uint256,uint256,uint256,address,address,string)"

export const drawOf = (minimum: string) =>
  callTo(TERMINAL, ALLOWANCE, ["2", NATIVE, "100", "1", minimum, BENEFICIARY, HOLDER, "for tools"])

export const useAllowance: Scenario = {
  name: "a draw on the surplus allowance",
  verifier: "use_allowance",
  call: drawOf("90"),
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
      free: CYCLE,
      wrong: { amountPaidOut: "0", netAmountPaidOut: "89" },
      allows: { amountPaidOut: atLeast(1n), netAmountPaidOut: atLeast(90n) }
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
