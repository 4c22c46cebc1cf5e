/** What bundlers answer that is believed to be an answer at all; members of which nothing is asked are passed over. */
import { Schema } from "effect"
import { Address } from "../values/Scalars.ts"
import { CarrierBytes32, CarrierQuantity } from "./CarrierForms.ts"

const LIMIT = 1n << 128n

const Amount = CarrierQuantity.pipe(Schema.filter(amount => amount < LIMIT))
const Needed = Amount.pipe(Schema.filter(amount => amount > 0n))
const OfPaymaster = Schema.optional(Schema.NullOr(Amount))

export const GasEstimation = Schema.Struct({
  callGasLimit: Needed,
  verificationGasLimit: Needed,
  preVerificationGas: Needed,
  paymasterVerificationGasLimit: OfPaymaster,
  paymasterPostOpGasLimit: OfPaymaster
})
export type GasEstimation = typeof GasEstimation.Type

const BundlerFees = Schema.Struct({ maxFeePerGas: Amount, maxPriorityFeePerGas: Amount })
export type BundlerFees = typeof BundlerFees.Type

export const GasPrices = Schema.Struct({ standard: BundlerFees })

export const PriorityFee = Amount

export const EntryPoints = Schema.Array(Address)

export const ChainNumber = CarrierQuantity

/** Of a receipt the place alone: what it holds is the chain's to tell. */
export const OperationReceipt = Schema.NullOr(
  Schema.Struct({ userOpHash: CarrierBytes32, receipt: Schema.Struct({ transactionHash: CarrierBytes32 }) })
)
