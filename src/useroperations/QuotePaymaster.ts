/** A paymaster's two words on an operation: the first while gas is estimated, the last under what is signed, which must be alike. */
import { Effect } from "effect"
import { quantity } from "../chain/Wire.ts"
import type { SmartManifest } from "../smartaccounts/Manifest.ts"
import type { OperationPlace } from "../values/PackedOperation.ts"
import { MAXIMUM_PAYMASTER_DATA_BYTES, type UserOperation } from "../values/UserOperation.ts"
import type { GasEstimation } from "./BundlerWire.ts"
import { bytesOf } from "./OperationBounds.ts"
import type { PaymasterAnswer, PaymasterService } from "./Paymaster.ts"
import { PaymasterChanged } from "./refusals.ts"

export type PaidUserOperation = Extract<UserOperation, { readonly paymaster: unknown }>

const REQUOTES = 3
const RAISE_PERCENT = 105n

const changed = (check: string) => new PaymasterChanged({ context: { check } })

/** Its address and code are pinned, and the code was looked at with the wallet. */
const checkPinned = ({ pins }: SmartManifest, { paymaster, paymasterData }: PaymasterAnswer) => {
  if (!pins.paymasters.some(({ address }) => address === paymaster)) return changed("pin")
  return bytesOf(paymasterData) > MAXIMUM_PAYMASTER_DATA_BYTES ? changed("length") : Effect.void
}

export const stubOf = Effect.fnUntraced(function* (
  service: PaymasterService,
  manifest: SmartManifest,
  place: OperationPlace,
  operation: UserOperation
) {
  const stub = yield* service.stub({ ...place, operation })
  yield* checkPinned(manifest, stub)
  return stub
})

/** What it does not say itself, the bundler estimates. */
export const paidBy = (
  operation: UserOperation,
  { paymaster, paymasterData, ...gas }: PaymasterAnswer,
  estimation?: GasEstimation
): PaidUserOperation => ({
  ...operation,
  paymaster,
  paymasterData,
  paymasterVerificationGasLimit:
    gas.paymasterVerificationGasLimit ?? quantity(estimation?.paymasterVerificationGasLimit ?? 0n),
  paymasterPostOpGasLimit: gas.paymasterPostOpGasLimit ?? quantity(estimation?.paymasterPostOpGasLimit ?? 0n)
})

/** What the last word does not say of its gas stays as it was asked about. */
const paymastersGas = (asked: PaidUserOperation, last: PaymasterAnswer) => ({
  paymasterVerificationGasLimit: last.paymasterVerificationGasLimit ?? asked.paymasterVerificationGasLimit,
  paymasterPostOpGasLimit: last.paymasterPostOpGasLimit ?? asked.paymasterPostOpGasLimit
})

/** What the last word differs in from the operation that it was asked about. */
const differenceOf = (asked: PaidUserOperation, last: PaymasterAnswer): string | undefined => {
  const { paymasterVerificationGasLimit: verification, paymasterPostOpGasLimit: postOp } = paymastersGas(
    asked,
    last
  )
  if (last.paymaster !== asked.paymaster) return "address"
  if (last.paymasterData.length !== asked.paymasterData.length) return "length"
  const isSame =
    verification === asked.paymasterVerificationGasLimit && postOp === asked.paymasterPostOpGasLimit
  return isSame ? undefined : "gas"
}

const raised = (limit: `0x${string}`) => quantity((BigInt(limit) * RAISE_PERCENT) / 100n)

/** Asked anew with more gas for the verification, where its last word alone differs in gas or length. */
export const lastWord = (
  service: PaymasterService,
  place: OperationPlace,
  asked: PaidUserOperation,
  requotesLeft: number = REQUOTES
): Effect.Effect<
  PaidUserOperation,
  Effect.Effect.Error<ReturnType<PaymasterService["data"]>> | PaymasterChanged
> =>
  Effect.flatMap(service.data({ ...place, operation: asked }), last => {
    const difference = differenceOf(asked, last)
    if (difference === undefined) return Effect.succeed({ ...asked, paymasterData: last.paymasterData })
    const isHopeless = difference === "address" || bytesOf(last.paymasterData) > MAXIMUM_PAYMASTER_DATA_BYTES
    if (isHopeless || requotesLeft === 0) return changed(difference)
    const anew = paidBy(
      { ...asked, verificationGasLimit: raised(asked.verificationGasLimit) },
      { ...last, ...paymastersGas(asked, last) }
    )
    return lastWord(service, place, anew, requotesLeft - 1)
  })
