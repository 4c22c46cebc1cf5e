/** A contract through which a request is executed inside another call. */
import { type Address, encodeFunctionData, type Hex, isHex, parseAbi } from "viem"
import artifact from "../artifacts/NestedCaller.json" with { type: "json" }
import { type Placed, placed } from "./PaymentContract.ts"

const nestedAbi = parseAbi(["function callNested(address target, bytes data) payable"])

export const nestedCaller = (): Placed => {
  const { bytecode } = artifact
  if (!isHex(bytecode)) throw new Error("The nested caller's bytecode is not hexadecimal.")
  return placed(bytecode)
}

export const nestedData = (target: Address, data: Hex): Hex =>
  encodeFunctionData({ abi: nestedAbi, functionName: "callNested", args: [target, data] })
