import { keccak256Utf8 } from "../../../src/values/Keccak.ts"
import { BUYBACK, CONTROLLER, TERMINAL } from "./ContractIds.ts"
import { ACCOUNT, BENEFICIARY, callTo, deployment, HOLDER, NATIVE } from "./Receipts.ts"
import { atLeast, CYCLE, cycle, type Evented, type Scenario, terminalAddress, upTo } from "./Scenario.ts"

const CASH_OUT = "cashOutTokensOf(address,uint256,uint256,address,uint256,address,bytes)"

const cashedOut = (reclaimAmount: string, metadata: string, minimum: bigint): Evented => ({
  contractId: TERMINAL,
  event: "CashOutTokens",
  role: "proof",
  fields: {
    ...cycle,
    projectId: "2",
    holder: HOLDER,
    beneficiary: BENEFICIARY,
    cashOutCount: "500",
    cashOutTaxRate: "5000",
    reclaimAmount,
    metadata,
    caller: ACCOUNT
  },
  identity: ["projectId", "holder", "caller"],
  free: [...CYCLE, "cashOutTaxRate", ...(minimum === 0n ? ["reclaimAmount"] : [])],
  ...(minimum === 0n ? {} : { wrong: { reclaimAmount: String(minimum - 1n) } }),
  allows: { reclaimAmount: atLeast(minimum) }
})

const cashOutShown = (reclaimAmount: string) => ({
  event: "CashOutTokens",
  projectId: "2",
  holder: HOLDER,
  beneficiary: BENEFICIARY,
  cashOutCount: "500",
  reclaimAmount
})

export const cashOut: Scenario = {
  name: "a cash-out from the treasury",
  verifier: "cash_out",
  call: callTo(TERMINAL, CASH_OUT, [HOLDER, "2", "500", NATIVE, "90", BENEFICIARY, "0x"]),
  emissions: [
    {
      contractId: CONTROLLER,
      event: "BurnTokens",
      role: "strengthening",
      repeats: true,
      fields: { holder: HOLDER, projectId: "2", tokenCount: "500", memo: "", caller: terminalAddress },
      identity: [],
      free: ["holder", "projectId", "caller", "memo"]
    },
    cashedOut("95", "0x", 90n)
  ],
  events: [cashOutShown("95"), { event: "BurnTokens", tokenCount: "500" }]
}

const word = (value: bigint) => value.toString(16).padStart(64, "0")

/** One entry for the target: a reserved word, its id and offset in words, then the minimum and whether to skip. */
export const quoted = (target: string, minimum: bigint, skip: boolean): `0x${string}` => {
  const bits = BigInt(target.slice(0, 10)) ^ BigInt(keccak256Utf8("cashOut").slice(0, 10))
  const id = bits.toString(16).padStart(8, "0")
  return `0x${word(0n)}${`${id}02`.padEnd(64, "0")}${word(minimum)}${word(skip ? 1n : 0n)}`
}

const swapMetadata = quoted(deployment(BUYBACK).address, 80n, false)

export const cashOutSwap: Scenario = {
  name: "a cash-out by a swap",
  verifier: "cash_out",
  call: callTo(TERMINAL, CASH_OUT, [HOLDER, "2", "500", NATIVE, "0", BENEFICIARY, swapMetadata]),
  emissions: [
    cashedOut("0", swapMetadata, 0n),
    {
      contractId: BUYBACK,
      event: "CashOutSwap",
      role: "proof",
      fields: {
        projectId: "2",
        cashOutCount: "500",
        poolId: `0x${"77".repeat(32)}`,
        amountReceived: "81",
        caller: terminalAddress
      },
      identity: ["projectId", "caller"],
      free: ["poolId"],
      wrong: { cashOutCount: "501", amountReceived: "79" },
      allows: { cashOutCount: upTo(500n), amountReceived: atLeast(80n) }
    }
  ],
  events: [
    cashOutShown("0"),
    { event: "CashOutSwap", projectId: "2", cashOutCount: "500", amountReceived: "81" }
  ]
}
