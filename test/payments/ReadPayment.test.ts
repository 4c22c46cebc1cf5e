/** Which calls are one payment that a page can show whole, and what of others is not. */
import { Either } from "effect"
import { type Address, encodeFunctionData, getAddress, type Hex, parseAbi } from "viem"
import { assert, describe, it } from "vitest"
import { type PaymentFault, type ReviewedCalls, readPayment } from "../../src/payments/ReadPayment.ts"
import type { Call } from "../../src/plans/Plan.ts"

const abi = parseAbi([
  "function pay(uint256,address,uint256,address,uint256,string,bytes) payable returns (uint256)",
  "function approve(address,uint256) returns (bool)",
  "function transfer(address,uint256) returns (bool)"
])

const address = (digit: string): Address => getAddress(`0x${digit.repeat(40)}`)
const NATIVE = "0x000000000000000000000000000000000000EEEe"
const [wallet, terminal, usd, payee, other] = ["a", "b", "c", "d", "e"].map(address)
if (!wallet || !terminal || !usd || !payee || !other) throw new Error("no addresses")

const call = (to: Address, data: Hex, value = "0"): Call => ({
  chainId: 10,
  to,
  data,
  value,
  label: "",
  dependsOn: [],
  decoded: { contractId: "", abiHash: "", function: "", args: [] }
})

interface Paying {
  readonly token?: Address
  readonly amount?: bigint
  readonly metadata?: Hex
  readonly memo?: string
  readonly value?: string
  readonly to?: Address
}

const pay = ({
  token = usd,
  amount = 1_500_000n,
  metadata = "0x",
  memo = "thank you",
  value = "0",
  to = terminal
}: Paying = {}) =>
  call(
    to,
    encodeFunctionData({
      abi,
      functionName: "pay",
      args: [7n, token, amount, payee, 12n, memo, metadata]
    }),
    value
  )

const approval = (amount = 1_500_000n, spender = terminal, to = usd, value = "0") =>
  call(to, encodeFunctionData({ abi, functionName: "approve", args: [spender, amount] }), value)

const asset = (token: Address, symbol: string, decimals: number) => ({
  address: token,
  symbol,
  decimals,
  assetIdentity: symbol,
  reviewId: "x"
})

const operation = (calls: ReadonlyArray<Call>, over: Partial<ReviewedCalls> = {}): ReviewedCalls => ({
  chainId: 10,
  wallet,
  calls,
  stepIndexes: calls.map((_, index) => index + 3),
  assets: [asset(usd, "USD", 6), asset(NATIVE, "ETH", 18)],
  terminals: [terminal],
  ...over
})

const faultIn = (calls: ReadonlyArray<Call>, over: Partial<ReviewedCalls> = {}): PaymentFault | undefined =>
  Either.match(readPayment(operation(calls, over)), { onLeft: fault => fault, onRight: () => undefined })

describe("a payment", () => {
  it("is read from its own bytes, with the manifest's words for the asset", () => {
    const read = Either.getOrThrow(readPayment(operation([approval(0n), approval(), pay()])))
    assert.deepStrictEqual(read, {
      kind: "v6-pay",
      chainId: 10,
      wallet,
      token: usd,
      symbol: "USD",
      decimals: 6,
      terminal,
      projectId: "7",
      amount: "1500000",
      beneficiary: payee,
      minimumReturnedTokens: "12",
      memo: "thank you",
      approvalStepIndexes: [3, 4],
      paymentStepIndex: 5
    })
  })

  it("of ether needs no approval and sends what it says", () => {
    assert.isUndefined(faultIn([pay({ token: NATIVE, value: "1500000" })]))
    assert.isUndefined(faultIn([pay()]))
  })

  it("has a memo of as many characters as the page shows, however many bytes they are", () => {
    assert.isUndefined(faultIn([pay({ memo: "🙂".repeat(512) })]))
  })

  const dirty = (of: Call): Call => ({ ...of, data: `${of.data}00` })

  const cases: ReadonlyArray<readonly [PaymentFault, string, ReadonlyArray<Call>]> = [
    ["calls", "nothing", []],
    ["calls", "no payment at the end", [pay(), approval()]],
    ["calls", "three calls before it", [approval(0n), approval(), approval(), pay()]],
    ["calls", "a payment with something behind it", [dirty(pay())]],
    [
      "calls",
      "a transfer",
      [call(usd, encodeFunctionData({ abi, functionName: "transfer", args: [payee, 1n] }))]
    ],
    ["terminal", "another terminal", [pay({ to: other })]],
    ["asset", "an asset that nobody reviewed", [pay({ token: other })]],
    ["value", "nothing paid", [pay({ amount: 0n })]],
    ["value", "ether beside a token", [pay({ value: "1" })]],
    ["value", "less ether than it says", [pay({ token: NATIVE, value: "1" })]],
    ["metadata", "metadata", [pay({ metadata: "0x00" })]],
    ["memo", "a memo with a NUL", [pay({ memo: "a\u0000" })]],
    ["memo", "a memo that is not shown whole", [pay({ memo: "m".repeat(513) })]],
    ["approval", "an approval of more", [approval(1_500_001n), pay()]],
    ["approval", "an approval without bound", [approval(2n ** 256n - 1n), pay()]],
    ["approval", "an approval for another", [approval(1_500_000n, other), pay()]],
    ["approval", "an approval of another token", [approval(1_500_000n, terminal, other), pay()]],
    ["approval", "an approval that sends ether", [approval(1_500_000n, terminal, usd, "1"), pay()]],
    ["approval", "an approval with something behind it", [dirty(approval()), pay()]],
    ["approval", "an approval before ether", [approval(), pay({ token: NATIVE, value: "1500000" })]],
    ["approval", "another payment before it", [pay(), pay()]]
  ]

  it.each(cases)("is not there for its %s: %s", (fault, _, calls) => {
    assert.strictEqual(faultIn(calls), fault)
  })

  it("is to a terminal that the protocol published, of an asset that the manifest has", () => {
    assert.strictEqual(faultIn([pay()], { terminals: [] }), "terminal")
    assert.strictEqual(faultIn([pay()], { assets: [] }), "asset")
  })
})
