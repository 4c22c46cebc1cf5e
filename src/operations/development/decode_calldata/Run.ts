import { Effect, Either } from "effect"
import { type Abi, canonicalSignature, functionsOf, selectorOfEntry } from "../../../catalog/Abi.ts"
import { decodeNamedValues, isCanonicalEncoding } from "../../../protocol/AbiValues.ts"
import type { Hex } from "../../../values/Scalars.ts"
import { defineOperation } from "../../framework/Operation.ts"
import { namedContract } from "../NamedContract.ts"
import { CalldataInvalid } from "../refusals.ts"
import { decodeCalldata } from "./Declaration.ts"

const WARNING =
  "That the bytes decode proves nothing of the address they are sent to, of what the call does there, or that it is safe."

const invalid = (detail: string) => new CalldataInvalid({ detail })

/** Only bytes that encode to themselves again; anything after the arguments could mean something to somebody. */
const strictly = Effect.fnUntraced(function* (abi: Abi, data: Hex) {
  const selector = data.slice(0, 10)
  const entry = functionsOf(abi).find(entry => selectorOfEntry(entry) === selector)
  if (entry === undefined) return yield* invalid("The contract has no function with this selector.")
  const body: Hex = `0x${data.slice(10)}`
  const args = yield* Either.mapLeft(decodeNamedValues(entry.inputs, body), ({ type }) =>
    invalid(`The arguments are not a strict encoding of ${type}.`)
  )
  const values = args.map(({ value }) => value)
  if (!isCanonicalEncoding(entry.inputs, values, body))
    return yield* invalid("The arguments are followed by further bytes or not encoded canonically.")
  return { entry, args }
})

export const runDecodeCalldata = defineOperation(
  decodeCalldata,
  Effect.fn("Operations.decodeCalldata")(function* ({ contract, data }) {
    const { abi } = yield* namedContract(contract)
    const { entry, args } = yield* strictly(abi, data)
    const signature = canonicalSignature(entry)
    return { contract, version: 6 as const, functionName: entry.name, signature, args, warning: WARNING }
  })
)
