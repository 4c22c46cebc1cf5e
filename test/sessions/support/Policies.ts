/** Policies of sessions that transfer a token. */
import { type Address, encodeFunctionData, type Hex, keccak256 } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import type { SessionPolicy } from "../../../src/sessions/PolicyShape.ts"
import { ZERO_ADDRESS } from "../../../src/values/Scalars.ts"
import { testKey } from "../../signatures/TestKeys.ts"
import { tokenAbi } from "./Abis.ts"

export const ZERO_HASH: Hex = `0x${"00".repeat(32)}`

export const sessionKey = privateKeyToAccount(testKey("execution vector session key").privateKey)

export const transfer = (to: Address, amount: bigint): Hex =>
  encodeFunctionData({ abi: tokenAbi, functionName: "transfer", args: [to, amount] })

/** Whom the policies here let be paid. */
export const PAYEE: Address = "0x00000000000000000000000000000000000000b0"

const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, "0")}`

export const LIMITS = { perCall: 40n, total: 100n }

/** The transfer of a token to one payee, within limits, counted in the first allocation. */
export const transferAction = (target: Address, codeHash: Hex): SessionPolicy["actions"][number] => ({
  target,
  codeHash,
  selector: "0xa9059cbb",
  valueMode: 0,
  allocation: 0,
  minimumLength: 68,
  maximumLength: 68,
  perCall: String(LIMITS.perCall),
  total: String(LIMITS.total),
  rules: [
    { condition: 0, offset: 0, word: word(BigInt(PAYEE)) },
    { condition: 1, offset: 32, word: word(LIMITS.perCall) }
  ]
})

const WEEK = 604_800

export const GAS_BUDGET: SessionPolicy["gas"] = {
  paymaster: ZERO_ADDRESS,
  paymasterCodeHash: ZERO_HASH,
  paymasterDataLength: 0,
  maxGasPerOperation: "2000000",
  maxFeePerGas: "5000000000",
  maxPriorityFeePerGas: "2000000000",
  totalGas: "50000000",
  totalCost: "250000000000000000"
}

export const policyFor = (
  token: Address,
  codeHash: Hex,
  now: number,
  changes: Partial<SessionPolicy> = {}
): SessionPolicy => ({
  sessionKey: sessionKey.address,
  generation: "1",
  nonce: `0x${"02".repeat(32)}`,
  validAfter: now - 30,
  validUntil: now - 30 + WEEK,
  maximumCalls: 100,
  gas: GAS_BUDGET,
  allocations: [{ id: keccak256("0x01"), asset: token, limit: String(LIMITS.total) }],
  actions: [transferAction(token, codeHash)],
  ...changes
})
