/** The calldata of a function chosen by its full canonical signature. */
import { Either } from "effect"
import {
  type Abi,
  type AbiFunction,
  canonicalSignature,
  functionsOf,
  selectorOfEntry
} from "../catalog/Abi.ts"
import type { Hex } from "../values/Scalars.ts"
import { decodeValues, encodeValues } from "./AbiValues.ts"
import { type AbiArgumentInvalid, FunctionSignatureUnknown } from "./refusals.ts"

export interface EncodedCall {
  readonly entry: AbiFunction
  readonly data: Hex
  /** The arguments as the calldata carries them: checksummed, lower-case hex, tuples by name. */
  readonly decodedArgs: ReadonlyArray<unknown>
  readonly mutability: AbiFunction["stateMutability"]
}

const findFunction = (
  abi: Abi,
  signature: string
): Either.Either<readonly [AbiFunction, Hex], FunctionSignatureUnknown> => {
  const functions = functionsOf(abi)
  const entry = functions.find(candidate => canonicalSignature(candidate) === signature)
  const selector = entry === undefined ? null : selectorOfEntry(entry)
  if (entry !== undefined && selector !== null) return Either.right([entry, selector])
  const name = signature.split("(")[0]
  return Either.left(
    new FunctionSignatureUnknown({
      detail: "The ABI has no function with this full canonical signature.",
      context: {
        function: signature,
        candidates: functions.filter(f => f.name === name).map(canonicalSignature)
      }
    })
  )
}

export const encodeCall = (
  abi: Abi,
  signature: string,
  args: unknown
): Either.Either<EncodedCall, FunctionSignatureUnknown | AbiArgumentInvalid> =>
  Either.gen(function* () {
    const [entry, selector] = yield* findFunction(abi, signature)
    const encoded = yield* encodeValues(entry.inputs, args)
    return {
      entry,
      data: `0x${selector.slice(2)}${encoded.slice(2)}` as const,
      decodedArgs: Either.getOrThrow(decodeValues(entry.inputs, encoded)),
      mutability: entry.stateMutability
    }
  })
