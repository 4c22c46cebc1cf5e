/** Who pays for a wallet's operation, and what a paymaster is given. */
import { zeroAddress } from "viem"
import { assert, it } from "vitest"
import { operationRows, wholeOperation } from "../../src/review/OperationRows.ts"
import type { UserOperation } from "../../src/values/UserOperation.ts"
import { linesOf } from "./support/Reviews.ts"

const WALLET = "0x78Cc8715095294fe4770323739760993dbCbA466"
const PAYMASTER = "0x00000000000000000000000000000000000000B1"

const operation = {
  sender: WALLET,
  nonce: "0x7",
  callData: "0x",
  callGasLimit: "0x1",
  verificationGasLimit: "0x2",
  preVerificationGas: "0x3",
  maxFeePerGas: "0x4",
  maxPriorityFeePerGas: "0x5",
  signature: "0x"
} as const

const paid = {
  ...operation,
  paymaster: PAYMASTER,
  paymasterVerificationGasLimit: "0x6",
  paymasterPostOpGasLimit: "0x7",
  paymasterData: "0x1234"
} as const

const place = {
  chainId: 31_337,
  entryPoint: "0x0000000071727De22E5E9d8BAf0edAc6f37da032",
  adapter: "0x27b102239A4082fCC1B4E9Abe2349fa88156f78b",
  validAfter: 1_800_000_000,
  validUntil: 1_800_000_300
} as const

const linesFor = (of: UserOperation) => {
  const adapted = { ...place, operation: of }
  return [...linesOf(operationRows(adapted)), ...linesOf(wholeOperation(adapted))]
}

it("an operation with a paymaster is not said to cost the wallet nothing, and shows all that it is given", () => {
  const lines = linesFor(paid)
  assert.include(
    lines,
    `gas is paid by: ${PAYMASTER}, a paymaster, which may charge the wallet in tokens that it was allowed to take`
  )
  assert.include(lines, "gas of the paymaster's check: 6")
  assert.include(lines, "gas of the paymaster afterwards: 7")
  assert.include(lines, "given to the paymaster: 2 bytes 0x1234")
})

it("an operation without one says that its wallet pays", () => {
  const lines = linesFor(operation)
  assert.include(lines, "gas is paid by: the wallet itself")
  assert.notMatch(lines.join("\n"), /paymaster/)
})

it("an operation that names nobody as paymaster says that its wallet pays", () => {
  assert.include(linesFor({ ...paid, paymaster: zeroAddress }), "gas is paid by: the wallet itself")
})
