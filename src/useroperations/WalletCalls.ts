/** The several calls that a wallet was told to make, read strictly from its calldata. */
import { Either, Option, Schema } from "effect"
import type { AbiParameter } from "../catalog/Abi.ts"
import { decodeValues } from "../protocol/AbiValues.ts"
import { Address, Hex, Uint256 } from "../values/Scalars.ts"
import { executionCalldata, type WalletCall } from "../values/WalletExecution.ts"

const EXECUTE: ReadonlyArray<AbiParameter> = [
  { name: "mode", type: "bytes32" },
  { name: "execution", type: "bytes" }
]

const SEVERAL: ReadonlyArray<AbiParameter> = [
  {
    name: "calls",
    type: "tuple[]",
    components: [
      { name: "to", type: "address" },
      { name: "value", type: "uint256" },
      { name: "data", type: "bytes" }
    ]
  }
]

const Execution = Schema.Tuple(Schema.String, Hex)
const Several = Schema.Tuple(
  Schema.Array(Schema.Struct({ to: Schema.typeSchema(Address), value: Uint256, data: Hex }))
)

const read = <A, I>(parameters: ReadonlyArray<AbiParameter>, as: Schema.Schema<A, I>, data: Hex) =>
  Option.flatMap(Either.getRight(decodeValues(parameters, data)), Schema.decodeUnknownOption(as))

/** None for anything that is not written in the one canonical way. */
export const severalCalls = (calldata: Hex): Option.Option<ReadonlyArray<WalletCall>> =>
  read(EXECUTE, Execution, `0x${calldata.slice(10)}`).pipe(
    Option.flatMap(([, execution]) => read(SEVERAL, Several, execution)),
    Option.map(([calls]) => calls.map(({ to, value, data }) => ({ to, value: BigInt(value), data }))),
    Option.filter(calls => calls.length > 1 && executionCalldata(calls) === calldata)
  )
