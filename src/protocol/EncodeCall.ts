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

interface Selected {
  readonly entry: AbiFunction
  readonly selector: Hex | null
}

/** Canonical signatures and selectors of an ABI, made once for as long as it is kept. */
const indexes = new WeakMap<Abi, ReadonlyMap<string, Selected>>()

const indexOf = (abi: Abi): ReadonlyMap<string, Selected> => {
  const known = indexes.get(abi)
  if (known !== undefined) return known
  const index = new Map<string, Selected>()
  for (const entry of functionsOf(abi)) {
    const signature = canonicalSignature(entry)
    if (!index.has(signature)) index.set(signature, { entry, selector: selectorOfEntry(entry) })
  }
  indexes.set(abi, index)
  return index
}

const findFunction = (
  abi: Abi,
  signature: string
): Either.Either<readonly [AbiFunction, Hex], FunctionSignatureUnknown> => {
  const { entry, selector } = indexOf(abi).get(signature) ?? {}
  if (entry !== undefined && selector != null) return Either.right([entry, selector])
  const name = signature.split("(")[0]
  return Either.left(
    new FunctionSignatureUnknown({
      detail: "The ABI has no function with this full canonical signature.",
      context: {
        function: signature,
        candidates: functionsOf(abi)
          .filter(f => f.name === name)
          .map(canonicalSignature)
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
