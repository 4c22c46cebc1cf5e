/** Random operations, and their hashes by others: two libraries, the entry point and the bundler's own program. */
import { spawn } from "node:child_process"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { AbiCoder, concat, keccak256 as keccakByEthers, toBeHex } from "ethers"
import fc from "fast-check"
import { createPublicClient, type Hex, http } from "viem"
import { entryPoint07Abi, getUserOperationHash } from "viem/account-abstraction"
import { installedAlto } from "../../../sandbox/bundler/Alto.ts"
import { checksummed } from "../../../src/values/Checksum.ts"
import { packedOperation } from "../../../src/values/PackedOperation.ts"
import type { UserOperation } from "../../../src/values/UserOperation.ts"
import { published } from "../../smartaccounts/support/Vectors.ts"
import { ENTRY_POINT } from "../../smartaccounts/support/Wallets.ts"

export const place = { chainId: published.chainId, entryPoint: ENTRY_POINT }

export const bytes = (length: { readonly minLength: number; readonly maxLength: number }) =>
  fc.uint8Array(length).map((data): Hex => `0x${Buffer.from(data).toString("hex")}`)

export const address = bytes({ minLength: 20, maxLength: 20 }).map(checksummed)
const quantity = (bits: number) =>
  fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n }).map((value): Hex => `0x${value.toString(16)}`)

const own = {
  sender: address,
  nonce: quantity(256),
  callData: bytes({ minLength: 0, maxLength: 300 }),
  callGasLimit: quantity(128),
  verificationGasLimit: quantity(128),
  preVerificationGas: quantity(256),
  maxFeePerGas: quantity(128),
  maxPriorityFeePerGas: quantity(128),
  signature: bytes({ minLength: 0, maxLength: 142 })
}

export const operations = fc.oneof(
  fc.record(own),
  fc.record({
    ...own,
    paymaster: address,
    paymasterVerificationGasLimit: quantity(128),
    paymasterPostOpGasLimit: quantity(128),
    paymasterData: bytes({ minLength: 0, maxLength: 100 })
  })
)

const unpacked = (operation: UserOperation) => ({
  sender: operation.sender,
  nonce: BigInt(operation.nonce),
  callData: operation.callData,
  callGasLimit: BigInt(operation.callGasLimit),
  verificationGasLimit: BigInt(operation.verificationGasLimit),
  preVerificationGas: BigInt(operation.preVerificationGas),
  maxFeePerGas: BigInt(operation.maxFeePerGas),
  maxPriorityFeePerGas: BigInt(operation.maxPriorityFeePerGas),
  signature: operation.signature,
  ...("paymaster" in operation && {
    paymaster: operation.paymaster,
    paymasterVerificationGasLimit: BigInt(operation.paymasterVerificationGasLimit),
    paymasterPostOpGasLimit: BigInt(operation.paymasterPostOpGasLimit),
    paymasterData: operation.paymasterData
  })
})

export const byViem = (operation: UserOperation, { chainId, entryPoint } = place): Hex =>
  getUserOperationHash({
    chainId,
    entryPointAddress: entryPoint,
    entryPointVersion: "0.7",
    userOperation: unpacked(operation)
  })

const half = (value: Hex) => toBeHex(value, 16)

/** From the members themselves, not from what this project packs. */
export const byEthers = (operation: UserOperation, { chainId, entryPoint } = place): string => {
  const paymasterAndData =
    "paymaster" in operation
      ? concat([
          operation.paymaster,
          half(operation.paymasterVerificationGasLimit),
          half(operation.paymasterPostOpGasLimit),
          operation.paymasterData
        ])
      : "0x"
  const coder = AbiCoder.defaultAbiCoder()
  const inner = coder.encode(
    ["address", "uint256", "bytes32", "bytes32", "bytes32", "uint256", "bytes32", "bytes32"],
    [
      operation.sender,
      operation.nonce,
      keccakByEthers("0x"),
      keccakByEthers(operation.callData),
      concat([half(operation.verificationGasLimit), half(operation.callGasLimit)]),
      operation.preVerificationGas,
      concat([half(operation.maxPriorityFeePerGas), half(operation.maxFeePerGas)]),
      keccakByEthers(paymasterAndData)
    ]
  )
  return keccakByEthers(
    coder.encode(["bytes32", "address", "uint256"], [keccakByEthers(inner), entryPoint, chainId])
  )
}

const HASHES_A_BATCH = 100

export const byEntryPoint = (
  chainUrl: string,
  all: ReadonlyArray<UserOperation>
): Promise<ReadonlyArray<Hex>> => {
  const transport = http(chainUrl, { batch: { batchSize: HASHES_A_BATCH } })
  const client = createPublicClient({ transport })
  return Promise.all(
    all.map(operation =>
      client.readContract({
        address: ENTRY_POINT,
        abi: entryPoint07Abi,
        functionName: "getUserOpHash",
        args: [packedOperation(operation)]
      })
    )
  )
}

/** Reads operations, and tells their hashes as the bundler knows them. */
const ASKING = `
const [, file, entryPointAddress, chainId] = process.argv
const { getUserOpHash } = await import(file)
const chunks = []
for await (const chunk of process.stdin) chunks.push(chunk)
const NUMBERS = /^(?:nonce|.*Gas|.*GasLimit)$/
const read = (name, value) => (NUMBERS.test(name) && value !== null ? BigInt(value) : value)
const hashes = JSON.parse(Buffer.concat(chunks).toString()).map(operation => {
  const members = { factory: null, factoryData: null, paymaster: null, paymasterData: null, ...operation }
  const userOp = Object.fromEntries(Object.entries(members).map(([name, value]) => [name, read(name, value)]))
  return getUserOpHash({ userOp, entryPointAddress, chainId: Number(chainId) })
})
process.stdout.write(JSON.stringify(hashes))
`

/** In a process of its own, as the bundler always is. */
export const byBundler = async (all: ReadonlyArray<UserOperation>): Promise<ReadonlyArray<Hex>> => {
  const program = installedAlto()
  if (program === undefined) throw new Error("the bundler is not installed")
  const file = pathToFileURL(join(dirname(dirname(program)), "utils", "userop.js")).href
  const args = ["--input-type=module", "-e", ASKING, file, ENTRY_POINT, String(place.chainId)]
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] })
  child.stdin.end(JSON.stringify(all))
  const chunks: Array<Uint8Array> = []
  for await (const chunk of child.stdout) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString())
}
