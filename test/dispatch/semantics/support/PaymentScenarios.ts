import { ACCOUNT, BENEFICIARY, callTo, NATIVE, OTHER, TERMINAL } from "./Receipts.ts"
import { CYCLE, cycle, type Evented, type Scenario, upTo } from "./Scenario.ts"

const PAY = "pay(uint256,address,uint256,address,uint256,string,bytes)"

const payment = (amount: string, over: Partial<Evented> = {}): Evented => ({
  contractId: TERMINAL,
  event: "Pay",
  role: "proof",
  fields: {
    ...cycle,
    projectId: "2",
    payer: ACCOUNT,
    beneficiary: BENEFICIARY,
    amount,
    newlyIssuedTokenCount: "5",
    memo: "thänks",
    metadata: "0xab",
    caller: ACCOUNT
  },
  identity: ["projectId", "payer", "caller"],
  free: [...CYCLE, "newlyIssuedTokenCount"],
  ...over
})

const paymentShown = (amount: string) => [
  { event: "Pay", projectId: "2", beneficiary: BENEFICIARY, amount, newlyIssuedTokenCount: "5" }
]

export const payNative: Scenario = {
  name: "a payment in the native token",
  verifier: "pay",
  call: callTo(TERMINAL, PAY, ["2", NATIVE, "7", BENEFICIARY, "0", "thänks", "0xab"], { value: "1000" }),
  emissions: [payment("1000")],
  events: paymentShown("1000")
}

export const payToken: Scenario = {
  name: "a payment in a token that charges for its transfer",
  verifier: "pay",
  call: callTo(TERMINAL, PAY, ["2", OTHER, "1000", BENEFICIARY, "0", "thänks", "0xab"]),
  emissions: [payment("990", { wrong: { amount: "1001" }, allows: { amount: upTo(1000n) } })],
  events: paymentShown("990")
}

const ADD = "addToBalanceOf(uint256,address,uint256,bool,string,bytes)"

export const addToBalance: Scenario = {
  name: "money added to a balance",
  verifier: "add_to_balance",
  call: callTo(TERMINAL, ADD, ["2", NATIVE, "0", true, "more", "0x01"], { value: "40" }),
  emissions: [
    {
      contractId: TERMINAL,
      event: "AddToBalance",
      role: "proof",
      fields: {
        projectId: "2",
        amount: "40",
        returnedFees: "1",
        memo: "more",
        metadata: "0x01",
        caller: ACCOUNT
      },
      identity: ["projectId", "caller"],
      free: ["returnedFees"]
    }
  ],
  events: [{ event: "AddToBalance", projectId: "2", amount: "40", returnedFees: "1" }]
}
