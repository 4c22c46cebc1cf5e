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
import { failedCall } from "../chain/CallOutcomes.ts"
import { usageFailure } from "./Failure.ts"
import { nodeRefusal, type Rpc } from "./Rpc.ts"
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

const NODE = "Check that --rpc is a node of its chain."

/** Undefined: nothing is there that answers. */
const bytesIn = (to: Address, answer: unknown): Hex | undefined => {
  if (answer === "0x") return undefined
  if (isHex(answer)) return answer
  throw usageFailure(`The node says no bytes of what ${to} answers.`, NODE)
}

const read = <A>(from: Address, decode: () => A): A => {
  try {
    return decode()
  } catch {
    throw usageFailure(`What ${from} answers is of another form.`, NODE)
  }
}

const answerOf = async (rpc: Rpc, to: Address, data: Hex): Promise<Hex | undefined> =>
  bytesIn(to, await rpc.call("eth_call", [{ to, data }, "latest"]))

const answered = async (rpc: Rpc, to: Address, data: Hex): Promise<Hex> => {
  const answer = await answerOf(rpc, to, data)
  if (answer !== undefined) return answer
  throw usageFailure(`Nothing at ${to} answers.`, "Check the address, and that --rpc is a node of its chain.")
}

const FIRST = "0x0000000000000000000000000000000000000001"
const MOST_VALIDATORS = 33n

const validatorsCall = { abi: adapterAbi, functionName: "getValidatorsPaginated" } as const
const validatorsData = encodeFunctionData({ ...validatorsCall, args: [FIRST, MOST_VALIDATORS] })

const validatorsIn = (wallet: Address, data: Hex): ReadonlyArray<Address> =>
  read(wallet, () => decodeFunctionResult({ ...validatorsCall, data })[0])

/** None where nothing answers at the wallet. */
export const validatorsOf = async (rpc: Rpc, wallet: Address): Promise<ReadonlyArray<Address>> => {
  const data = await answerOf(rpc, wallet, validatorsData)
  const validators = data === undefined ? [] : validatorsIn(wallet, data)
  if (validators.length < MOST_VALIDATORS) return validators
  throw usageFailure(
    `The wallet ${wallet} has ${MOST_VALIDATORS} validators or more.`,
    "Look at them one by one."
  )
}

/** The only validator of the wallet. */
export const guardOf = async (rpc: Rpc, wallet: Address): Promise<Address> => {
  const validators = validatorsIn(wallet, await answered(rpc, wallet, validatorsData))
  const [only] = validators
  if (only !== undefined && validators.length === 1) return only
  throw only === undefined
    ? usageFailure(`The wallet ${wallet} has no validator.`, "No session can live there.")
    : usageFailure(
        `The wallet ${wallet} has several validators.`,
        `Name its guard with --guard: ${validators.join(", ")}.`
      )
}

const liveCall = { abi: guardAbi, functionName: "administrationOf" } as const
const liveData = (wallet: Address): Hex => encodeFunctionData({ ...liveCall, args: [wallet] })

const liveIn = (guard: Address, data: Hex): Hex | undefined => {
  const { live } = read(guard, () => decodeFunctionResult({ ...liveCall, data }))
  return live === zeroHash ? undefined : live
}

/** Undefined: none lives. */
export const livePermission = async (rpc: Rpc, guard: Address, wallet: Address): Promise<Hex | undefined> =>
  liveIn(guard, await answered(rpc, guard, liveData(wallet)))

/** Of a validator that may be no guard, which nothing lives at then. */
export const permissionAt = async (
  rpc: Rpc,
  validator: Address,
  wallet: Address
): Promise<Hex | undefined> => {
  const reply = await rpc.ask("eth_call", [{ to: validator, data: liveData(wallet) }, "latest"])
  if ("error" in reply) {
    const { code, data } = reply.error
    if (failedCall({ code, data })._tag === "Reverted") return undefined
    throw nodeRefusal("eth_call", reply.error)
  }
  const data = bytesIn(validator, reply.result)
  return data === undefined ? undefined : liveIn(validator, data)
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
