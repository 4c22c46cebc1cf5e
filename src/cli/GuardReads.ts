/** What a chain itself says of a wallet and of its guard, without any service. */
import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  isHex,
  parseAbi,
  zeroHash
} from "viem"
import { usageFailure } from "./Failure.ts"
import type { Rpc } from "./Rpc.ts"
import { safeAbi } from "./SafeTransaction.ts"

const adapterAbi = parseAbi([
  "function getValidatorsPaginated(address cursor, uint256 pageSize) view returns (address[] array, address next)"
])

export const guardAbi = parseAbi([
  "struct Administration { uint64 enableNonce; uint64 epoch; bool installed; bytes32 history; bytes32 live; }",
  "function administrationOf(address account) view returns (Administration)",
  "function revoke(bytes32 permissionId)",
  "function isModuleType(uint256 moduleTypeId) view returns (bool)",
  "function ENTRY_POINT() view returns (address)",
  "function ADAPTER() view returns (address)"
])

const answered = async (rpc: Rpc, to: Address, data: Hex): Promise<Hex> => {
  const answer = await rpc.call("eth_call", [{ to, data }, "latest"])
  if (isHex(answer) && answer !== "0x") return answer
  throw usageFailure(`Nothing at ${to} answers.`, "Check the address, and that --rpc is a node of its chain.")
}

const FIRST = "0x0000000000000000000000000000000000000001"
const MOST_VALIDATORS = 33n

/** The only validator of the wallet. */
export const guardOf = async (rpc: Rpc, wallet: Address): Promise<Address> => {
  const called = { abi: adapterAbi, functionName: "getValidatorsPaginated" } as const
  const data = encodeFunctionData({ ...called, args: [FIRST, MOST_VALIDATORS] })
  const [validators] = decodeFunctionResult({ ...called, data: await answered(rpc, wallet, data) })
  const [only] = validators
  if (only !== undefined && validators.length === 1) return only
  throw only === undefined
    ? usageFailure(`The wallet ${wallet} has no validator.`, "No session can live there.")
    : usageFailure(
        `The wallet ${wallet} has several validators.`,
        `Name its guard with --guard: ${validators.join(", ")}.`
      )
}

/** Undefined: none lives. */
export const livePermission = async (rpc: Rpc, guard: Address, wallet: Address): Promise<Hex | undefined> => {
  const called = { abi: guardAbi, functionName: "administrationOf" } as const
  const data = encodeFunctionData({ ...called, args: [wallet] })
  const { live } = decodeFunctionResult({ ...called, data: await answered(rpc, guard, data) })
  return live === zeroHash ? undefined : live
}

/** Who signs for a wallet, and by which nonce it counts its transactions. */
export const safeAt = async (rpc: Rpc, wallet: Address) => {
  const ask = (functionName: "nonce" | "getThreshold" | "getOwners") =>
    answered(rpc, wallet, encodeFunctionData({ abi: safeAbi, functionName }))
  const [nonce, threshold, owners] = await Promise.all([ask("nonce"), ask("getThreshold"), ask("getOwners")])
  return {
    nonce: decodeFunctionResult({ abi: safeAbi, functionName: "nonce", data: nonce }),
    threshold: Number(decodeFunctionResult({ abi: safeAbi, functionName: "getThreshold", data: threshold })),
    owners: decodeFunctionResult({ abi: safeAbi, functionName: "getOwners", data: owners })
  }
}

/** What the guard was made for. */
export const guardGround = async (rpc: Rpc, guard: Address) => {
  const ask = (functionName: "ENTRY_POINT" | "ADAPTER") =>
    answered(rpc, guard, encodeFunctionData({ abi: guardAbi, functionName }))
  const asked = encodeFunctionData({ abi: guardAbi, functionName: "isModuleType", args: [1n] })
  const [entryPoint, adapter, isValidator] = await Promise.all([
    ask("ENTRY_POINT"),
    ask("ADAPTER"),
    answered(rpc, guard, asked)
  ])
  return {
    entryPoint: decodeFunctionResult({ abi: guardAbi, functionName: "ENTRY_POINT", data: entryPoint }),
    adapter: decodeFunctionResult({ abi: guardAbi, functionName: "ADAPTER", data: adapter }),
    isValidator: decodeFunctionResult({ abi: guardAbi, functionName: "isModuleType", data: isValidator })
  }
}
