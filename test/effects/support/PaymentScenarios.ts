import { keccak256Utf8 } from "../../../src/values/Keccak.ts"
import { PREPAID_PAYMENTS, TERMINAL, TIERS_HOOK } from "./ContractIds.ts"
import { ACCOUNT, BENEFICIARY, callTo, deployment, NATIVE, OTHER } from "./Receipts.ts"
import { CYCLE, cycle, type Evented, type Scenario, terminalAddress, upTo } from "./Scenario.ts"

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

const word = (value: bigint) => value.toString(16).padStart(64, "0")

const NOBODY = `0x${"0".repeat(40)}`

/** One entry for the hook's implementation: whether to overspend, and the tiers behind their offset and number. */
export const tiersAsked = (tierIds: ReadonlyArray<bigint>): `0x${string}` => {
  const bits = BigInt(deployment(TIERS_HOOK).address.slice(0, 10)) ^ BigInt(keccak256Utf8("pay").slice(0, 10))
  const entry = `${bits.toString(16).padStart(8, "0")}02`.padEnd(64, "0")
  const list = [0n, 64n, BigInt(tierIds.length), ...tierIds].map(word).join("")
  return `0x${word(0n)}${entry}${list}`
}

export const minted = (tokenId: string, tierId: string): ReadonlyArray<Evented> => [
  {
    contractId: TIERS_HOOK,
    event: "Mint",
    role: "proof",
    fields: { tokenId, tierId, beneficiary: BENEFICIARY, totalAmountPaid: "1000", caller: terminalAddress },
    identity: ["beneficiary", "caller", "tokenId"],
    free: ["totalAmountPaid"]
  },
  {
    contractId: TIERS_HOOK,
    event: "Transfer",
    role: "proof",
    fields: { from: NOBODY, to: BENEFICIARY, tokenId },
    identity: ["from", "tokenId"],
    free: []
  }
]

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

const TIERS_METADATA = tiersAsked([5n, 9n, 5n])
const paidForTiers = payment("1000")

export const payForTiers: Scenario = {
  name: "a payment for tiers",
  verifier: "pay",
  call: callTo(TERMINAL, PAY, ["2", NATIVE, "7", BENEFICIARY, "0", "thänks", TIERS_METADATA], {
    value: "1000"
  }),
  emissions: [
    ...minted("5000000001", "5"),
    ...minted("9000000007", "9"),
    ...minted("5000000002", "5"),
    { ...paidForTiers, fields: { ...paidForTiers.fields, metadata: TIERS_METADATA } }
  ],
  events: [
    ...paymentShown("1000"),
    { event: "Mint", tokenId: "5000000001", tierId: "5" },
    { event: "Mint", tokenId: "9000000007", tierId: "9" },
    { event: "Mint", tokenId: "5000000002", tierId: "5" }
  ]
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

const BUNDLE = "0x87849de257884530a2efb0f8bc17e348"

export const prepaid: Scenario = {
  name: "a provider paid for a bundle",
  verifier: "prepayment",
  call: callTo(PREPAID_PAYMENTS, "prepayment(bytes16,uint40)", [BUNDLE, "1795630377"], { value: "40" }),
  emissions: [
    {
      contractId: PREPAID_PAYMENTS,
      event: "Prepayment",
      role: "proof",
      fields: { bundle: BUNDLE, amount: "40", deadline: "1795630377" },
      identity: ["bundle"],
      free: []
    }
  ],
  events: [{ event: "Prepayment", bundle: BUNDLE, amount: "40", deadline: "1795630377" }],
  namesNoWallet: true
}
