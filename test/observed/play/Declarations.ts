/** Functions and errors by what a call or its answer says, from the pinned ABIs. */
import { Array, Either } from "effect"
import { type Hex, parseAbi } from "viem"
import {
  type AbiError,
  type AbiFunction,
  canonicalSignature,
  functionsOf,
  selectorOfEntry
} from "../../../src/catalog/Abi.ts"
import { decodeValues, encodeValues } from "../../../src/protocol/AbiValues.ts"
import { abisByName, pinnedAbis, readAbi } from "../EventEntries.ts"
import type { Revert, Value } from "../Recording.ts"

const outside = readAbi(
  parseAbi([
    "error Error(string message)",
    "error Panic(uint256 code)",
    "error DeploymentFailed()",
    "error FailedDeployment()",
    "error AllowanceExpired(uint256 deadline)",
    "error InsufficientAllowance(uint256 amount)",
    "function approve(address token, address spender, uint160 amount, uint48 expiration)",
    "function deposit() payable",
    "function initialize((address currency0, address currency1, uint24 fee, int24 tickSpacing, address hooks) key, uint160 sqrtPriceX96) returns (int24 tick)",
    "function modifyLiquidities(bytes unlockData, uint256 deadline) payable",
    "function allowance(address owner, address token, address spender) view returns (uint160 amount, uint48 expiration, uint48 nonce)",
    "function extsload(bytes32 slot) view returns (bytes32 value)",
    "function withdraw(uint256 wad)"
  ])
)

const entries = [...pinnedAbis, outside].flat()

const functions = Array.groupBy(
  entries.filter((entry): entry is AbiFunction => entry.type === "function"),
  canonicalSignature
)

const errors = Array.groupBy(
  entries.filter((entry): entry is AbiError => entry.type === "error"),
  entry => selectorOfEntry(entry) ?? ""
)

/** Contracts may declare other outputs for one signature: what the contract declares itself goes first. */
const functionOf = (signature: string, contract?: string): AbiFunction => {
  const found = functions[signature] ?? []
  const own = functionsOf(contract === undefined ? [] : (abisByName.get(contract) ?? []))
  const entry = found.find(candidate => own.includes(candidate)) ?? found[0]
  if (entry === undefined) throw new Error(`no ABI has ${signature}`)
  return entry
}

export const callData = (signature: string, args: ReadonlyArray<Value>): Hex => {
  const entry = functionOf(signature)
  return `${selectorOfEntry(entry) ?? "0x"}${Either.getOrThrow(encodeValues(entry.inputs, args)).slice(2)}` as const
}

/** The only output alone, several in their order. */
export const resultOf = (contract: string, signature: string, data: Hex): unknown => {
  const { outputs } = functionOf(signature, contract)
  const decoded = decodeValues(outputs, data)
  if (Either.isLeft(decoded)) return `nothing that ${signature} answers: ${data}`
  return outputs.length === 1 ? decoded.right[0] : decoded.right
}

export type Reverted = Pick<Revert, "error"> & { readonly args: unknown }

export const revertOf = (data: Hex): Reverted => {
  if (data === "0x") return { error: null, args: [] }
  const [entry] = errors[data.slice(0, 10)] ?? []
  if (entry === undefined) return { error: data, args: [] }
  const args = Either.getOrElse(decodeValues(entry.inputs, `0x${data.slice(10)}`), () => [])
  return { error: canonicalSignature(entry), args }
}

/** A getter of a number, by its name and how many arguments it takes. */
export const numberGetter = (name: string, { length }: ReadonlyArray<Value>): string => {
  const entry = Object.values(functions)
    .flat()
    .find(
      ({ name: own, inputs, outputs }) =>
        own === name && inputs.length === length && outputs.length === 1 && outputs[0]?.type === "uint256"
    )
  if (entry === undefined) throw new Error(`no ABI has a number called ${name}`)
  return canonicalSignature(entry)
}
