/** What revert data says by the ABI's own errors; never the node's words. */
import { Either } from "effect"
import { type Abi, type AbiError, type AbiParameter, selectorOfEntry } from "../catalog/Abi.ts"
import type { Hex } from "../values/Scalars.ts"
import { decodeNamedValues, type NamedValue } from "./AbiValues.ts"

export interface RevertReason {
  /** Null where the revert carries less than a selector. */
  readonly selector: Hex | null
  readonly name?: string
  readonly args?: ReadonlyArray<NamedValue>
}

const LONGEST_DECODED = 2 + 2 * 4096

const builtIn = (name: string, parameter: AbiParameter): AbiError => ({
  type: "error",
  name,
  inputs: [parameter]
})

const BUILT_IN = [
  builtIn("Error", { name: "message", type: "string" }),
  builtIn("Panic", { name: "code", type: "uint256" })
]

const isError = (entry: Abi[number]): entry is AbiError => entry.type === "error"

export const decodeRevert = (abi: Abi, data: Hex): RevertReason => {
  if (data.length < 10) return { selector: null }
  const selector: Hex = `0x${data.slice(2, 10)}`
  const error = [...BUILT_IN, ...abi.filter(isError)].find(entry => selectorOfEntry(entry) === selector)
  if (error === undefined || data.length > LONGEST_DECODED) return { selector }
  return Either.match(decodeNamedValues(error.inputs, `0x${data.slice(10)}`), {
    onLeft: () => ({ selector }),
    onRight: args => ({ selector, name: error.name, args })
  })
}
