/** A contract through which a request is executed inside another call. */
import {
  type Address,
  concatHex,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  isHex,
  parseAbi,
  zeroHash
} from "viem"
import artifact from "../artifacts/NestedCaller.json" with { type: "json" }
import { CREATE2_DEPLOYER } from "./PaymentContract.ts"

const nestedAbi = parseAbi(["function callNested(address target, bytes data) payable"])

export const nestedCaller = (): { readonly address: Address; readonly creation: Hex } => {
  const { bytecode } = artifact
  if (!isHex(bytecode)) throw new Error("The nested caller's bytecode is not hexadecimal.")
  const address = getContractAddress({ opcode: "CREATE2", from: CREATE2_DEPLOYER, salt: zeroHash, bytecode })
  return { address, creation: concatHex([zeroHash, bytecode]) }
}

export const nestedData = (target: Address, data: Hex): Hex =>
  encodeFunctionData({ abi: nestedAbi, functionName: "callNested", args: [target, data] })
