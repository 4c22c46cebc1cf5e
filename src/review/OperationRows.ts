/** An operation of a wallet in words, beyond the calls that it makes: who pays for it, how much at most, and until when. */
import type { AdaptedOperation } from "../values/SafeOperation.ts"
import { highestCost } from "./Amounts.ts"
import { distanceText, instantText } from "./Times.ts"
import { exact, type ReviewRow, row, toned, words } from "./Words.ts"

const gasOf = ({ operation }: AdaptedOperation): bigint => {
  const { callGasLimit, verificationGasLimit, preVerificationGas } = operation
  const paid =
    "paymaster" in operation
      ? [operation.paymasterVerificationGasLimit, operation.paymasterPostOpGasLimit]
      : []
  return [callGasLimit, verificationGasLimit, preVerificationGas, ...paid].reduce(
    (sum, gas) => sum + BigInt(gas),
    0n
  )
}

/** In wei, whoever pays it. */
const highestOperationCost = (adapted: AdaptedOperation): bigint =>
  gasOf(adapted) * BigInt(adapted.operation.maxFeePerGas)

/** The entry point takes nobody as paymaster for none. */
const payerRow = ({ operation }: AdaptedOperation): ReviewRow =>
  "paymaster" in operation && BigInt(operation.paymaster) !== 0n
    ? row(
        "gas is paid by",
        exact(operation.paymaster),
        words(", a paymaster, which may charge the wallet in tokens that it was allowed to take")
      )
    : row("gas is paid by", words("the wallet itself"))

/** What an owner looks at before all else; without a time of now: of what has left. */
export const operationRows = (adapted: AdaptedOperation, now?: number): ReadonlyArray<ReviewRow> => {
  const { operation, chainId, validUntil } = adapted
  const end = validUntil * 1000
  const left = now === undefined ? "" : `, ${distanceText(end, now)}`
  return [
    row("wallet", exact(operation.sender), words(` on chain ${chainId}`)),
    payerRow(adapted),
    toned("key", highestCost(String(highestOperationCost(adapted)))),
    row("ends", words(`${instantText(end)}${left}`))
  ]
}

const paymasterRows = ({ operation }: AdaptedOperation): ReadonlyArray<ReviewRow> => {
  if (!("paymaster" in operation)) return []
  const { paymasterData, paymasterVerificationGasLimit, paymasterPostOpGasLimit } = operation
  const length = (paymasterData.length - 2) / 2
  return [
    row("gas of the paymaster's check", exact(BigInt(paymasterVerificationGasLimit))),
    row("gas of the paymaster afterwards", exact(BigInt(paymasterPostOpGasLimit))),
    row(
      "given to the paymaster",
      ...(length === 0 ? [words("nothing")] : [words(`${length} bytes `), exact(paymasterData)])
    )
  ]
}

/** For those who want to read everything. */
export const wholeOperation = (adapted: AdaptedOperation): ReadonlyArray<ReviewRow> => {
  const { operation, entryPoint, adapter, validAfter } = adapted
  return [
    row("entry point", exact(entryPoint)),
    row("checked by", exact(adapter)),
    row("nonce", exact(BigInt(operation.nonce))),
    row("valid after", words(instantText(validAfter * 1000))),
    row("calldata", words(`${(operation.callData.length - 2) / 2} bytes`)),
    row("gas of the calls", exact(BigInt(operation.callGasLimit))),
    row("gas of the checks", exact(BigInt(operation.verificationGasLimit))),
    row("gas beforehand", exact(BigInt(operation.preVerificationGas))),
    ...paymasterRows(adapted),
    row("fee cap per gas", exact(BigInt(operation.maxFeePerGas)), words(" wei")),
    row("tip per gas", exact(BigInt(operation.maxPriorityFeePerGas)), words(" wei"))
  ]
}
