/** The one payment that an operation makes, read from the bytes of its calls: approvals of just that, and the call that pays. */
import { Either } from "effect"
import { decodeFunctionData, encodeFunctionData, parseAbi } from "viem"
import type { Call } from "../plans/Plan.ts"
import type { SmartManifest } from "../smartaccounts/Manifest.ts"
import { checksummed } from "../values/Checksum.ts"
import type { Address } from "../values/Scalars.ts"
import { LONGEST_REVIEWED_MEMO, MOST_APPROVALS, type ReviewedPayment } from "./PaymentReview.ts"

const NATIVE_TOKEN: Address = "0x000000000000000000000000000000000000EEEe"

const payAbi = parseAbi([
  "function pay(uint256 projectId, address token, uint256 amount, address beneficiary, uint256 minReturnedTokens, string memo, bytes metadata) payable returns (uint256)"
])
const approveAbi = parseAbi(["function approve(address spender, uint256 amount) returns (bool)"])

/** What of an operation is no payment that the pilot is for. */
export type PaymentFault = "calls" | "terminal" | "asset" | "value" | "metadata" | "memo" | "approval"

export interface ReviewedCalls {
  readonly chainId: number
  readonly wallet: Address
  readonly calls: ReadonlyArray<Call>
  readonly stepIndexes: ReadonlyArray<number>
  readonly assets: SmartManifest["reviewed"]["assets"]
  /** Those of the chain that the protocol published and uses. */
  readonly terminals: ReadonlyArray<Address>
}

/** Undefined for anything else, and for what is encoded in another way. */
const paymentIn = ({ data }: Call) => {
  try {
    const { functionName, args } = decodeFunctionData({ abi: payAbi, data })
    return encodeFunctionData({ abi: payAbi, functionName, args }) === data ? args : undefined
  } catch {
    return undefined
  }
}

const approvalIn = ({ data }: Call) => {
  try {
    const { functionName, args } = decodeFunctionData({ abi: approveAbi, data })
    return encodeFunctionData({ abi: approveAbi, functionName, args }) === data ? args : undefined
  } catch {
    return undefined
  }
}

interface Approved {
  readonly token: Address
  readonly terminal: Address
  readonly amount: bigint
}

/** Of exactly what is paid, or back to nothing before that. */
const isApproval = (call: Call, { token, terminal, amount }: Approved): boolean => {
  const [spender, approved] = approvalIn(call) ?? []
  return (
    call.to === token &&
    BigInt(call.value) === 0n &&
    spender === terminal &&
    (approved === amount || approved === 0n)
  )
}

const isPaidFor = ({ value }: Call, token: Address, amount: bigint): boolean =>
  BigInt(value) === (token === NATIVE_TOKEN ? amount : 0n)

export const readPayment = (operation: ReviewedCalls): Either.Either<ReviewedPayment, PaymentFault> => {
  const { chainId, wallet, calls, stepIndexes, assets, terminals } = operation
  const [last, approvals] = [calls.at(-1), calls.slice(0, -1)]
  const paid = last && paymentIn(last)
  const paymentStepIndex = stepIndexes.at(-1)
  if (last === undefined || paid === undefined || paymentStepIndex === undefined) return Either.left("calls")
  if (approvals.length > MOST_APPROVALS) return Either.left("calls")
  const [projectId, token, amount, beneficiary, minimum, memo, metadata] = paid
  const terminal = checksummed(last.to.toLowerCase())
  const asset = assets.find(({ address }) => address === token)
  if (!terminals.includes(terminal)) return Either.left("terminal")
  if (asset === undefined) return Either.left("asset")
  if (amount === 0n || !isPaidFor(last, token, amount)) return Either.left("value")
  if (metadata !== "0x") return Either.left("metadata")
  if (memo.includes("\u0000") || Array.from(memo).length > LONGEST_REVIEWED_MEMO) return Either.left("memo")
  if (token === NATIVE_TOKEN && approvals.length > 0) return Either.left("approval")
  if (!approvals.every(call => isApproval(call, { token, terminal, amount }))) return Either.left("approval")
  return Either.right({
    kind: "v6-pay",
    ...{
      chainId,
      wallet,
      token,
      symbol: asset.symbol,
      decimals: asset.decimals,
      terminal,
      beneficiary,
      memo
    },
    projectId: String(projectId),
    amount: String(amount),
    minimumReturnedTokens: String(minimum),
    approvalStepIndexes: stepIndexes.slice(0, -1),
    paymentStepIndex
  })
}
