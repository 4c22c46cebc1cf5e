/** Why a step's transaction reverted, which no receipt holds: what the same call answered when it was run again. */
import { Schema } from "effect"
import { Bytes32, Hex, Uint256 } from "../values/Scalars.ts"
import { strict } from "../values/Strict.ts"

const parentBlock = { blockNumber: Uint256, blockHash: Bytes32 }

const RevertArgument = strict({
  name: Schema.NullOr(Schema.String),
  type: Schema.String,
  value: Schema.Unknown
})

export const StepRevert = Schema.Union(
  strict({
    status: Schema.Literal("known"),
    ...parentBlock,
    selector: Schema.NullOr(Hex),
    name: Schema.optionalWith(Schema.String, { exact: true }),
    args: Schema.optionalWith(Schema.Array(RevertArgument), { exact: true })
  }),
  strict({ status: Schema.Literal("unknown"), ...parentBlock, reason: Schema.String })
).annotations({
  identifier: "StepRevert",
  description:
    "With what the same call reverted when it was run again: from the same wallet, with the same value and gas, on the state that the parent of the transaction's block ended with. Other transactions of the block came before it, so that the transaction itself may have reverted for another reason. Absent while no node has answered."
})
export type StepRevert = typeof StepRevert.Type
