import { Schema } from "effect"
import { strict } from "../../../values/Strict.ts"
import { declareOperation } from "../../framework/Operation.ts"
import { Calldata } from "../../shared/inputs/Parts.ts"
import { NamedContract } from "../Inputs.ts"

const version = Schema.Literal(6)

export const decodeCalldata = declareOperation({
  id: "decode_calldata",
  kind: "reference",
  sources: ["reference"],
  title: "Decode calldata",
  description:
    "Which function of a contract some calldata calls, and with which arguments; it says nothing of the target, the effect or its safety.",
  input: strict({ contract: NamedContract, data: Calldata }),
  output: strict({
    contract: Schema.String,
    version,
    functionName: Schema.String,
    signature: Schema.String,
    args: Schema.Array(
      strict({ name: Schema.NullOr(Schema.String), type: Schema.String, value: Schema.Unknown })
    ),
    warning: Schema.String
  }).annotations({ identifier: "DecodedCalldata" }),
  problems: ["CONTRACT_NOT_FOUND", "CALLDATA_INVALID"]
})
