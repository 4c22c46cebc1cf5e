/** Which operations the paymaster signs, and what it adds to them (ERC-7677). */
import {
  type Address,
  concatHex,
  encodeAbiParameters,
  type Hex,
  isAddress,
  isAddressEqual,
  isHex,
  keccak256,
  numberToHex,
  parseEther,
  size
} from "viem"
import { CHAIN_ID, type Chain, ENTRY_POINT, paymasterAddress, paymasterSigner } from "./Chain.ts"

/** What is asked is not an operation that it could pay for. */
export class BadOperation extends Error {}

const VERIFICATION_GAS = 60_000n
/** Nothing is done after the operation, but bundlers look for a limit. */
const POST_OP_GAS = 1n
const VALID_SECONDS = 600
const PAST_SECONDS = 60
const MAXIMUM_GAS = 30_000_000n
const MAXIMUM_COST = parseEther("1")
const SIGNATURE_BYTES = 65

interface Operation {
  readonly sender: Address
  readonly nonce: bigint
  readonly callData: Hex
  readonly callGasLimit: bigint
  readonly verificationGasLimit: bigint
  readonly preVerificationGas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
  readonly paymasterVerificationGasLimit: bigint
  readonly paymasterPostOpGasLimit: bigint
}

const quantity = (operation: object, name: string, bits: bigint): bigint => {
  const value: unknown = Object(operation)[name]
  if (typeof value !== "string" || !/^0x[0-9a-fA-F]{1,64}$/.test(value) || BigInt(value) >> bits > 0n)
    throw new BadOperation(`${name} is no quantity of ${bits} bits`)
  return BigInt(value)
}

const operationOf = (given: unknown): Operation => {
  const operation = Object(given)
  const { sender, callData, factory } = operation
  if (!isAddress(sender, { strict: false })) throw new BadOperation("sender is no address")
  if (!isHex(callData)) throw new BadOperation("callData is no hexadecimal")
  if (factory !== undefined && factory !== null)
    throw new BadOperation("wallets are not created by operations")
  return {
    sender,
    callData,
    nonce: quantity(operation, "nonce", 256n),
    callGasLimit: quantity(operation, "callGasLimit", 128n),
    verificationGasLimit: quantity(operation, "verificationGasLimit", 128n),
    preVerificationGas: quantity(operation, "preVerificationGas", 256n),
    maxFeePerGas: quantity(operation, "maxFeePerGas", 128n),
    maxPriorityFeePerGas: quantity(operation, "maxPriorityFeePerGas", 128n),
    paymasterVerificationGasLimit: quantity(operation, "paymasterVerificationGasLimit", 128n),
    paymasterPostOpGasLimit: quantity(operation, "paymasterPostOpGasLimit", 128n)
  }
}

const gasOf = (operation: Operation): bigint =>
  operation.callGasLimit +
  operation.verificationGasLimit +
  operation.preVerificationGas +
  operation.paymasterVerificationGasLimit +
  operation.paymasterPostOpGasLimit

const checkBounds = (operation: Operation): void => {
  const gas = gasOf(operation)
  if (gas > MAXIMUM_GAS) throw new BadOperation("it may use too much gas")
  if (gas * operation.maxFeePerGas > MAXIMUM_COST) throw new BadOperation("it may cost too much")
}

const checkPlace = (entryPoint: unknown, chainId: unknown): void => {
  if (typeof entryPoint !== "string" || !isAddress(entryPoint, { strict: false }))
    throw new BadOperation("no entry point is named")
  if (!isAddressEqual(entryPoint, ENTRY_POINT)) throw new BadOperation("it is of another entry point")
  if (typeof chainId !== "string" || !/^0x[0-9a-f]+$/.test(chainId) || BigInt(chainId) !== BigInt(CHAIN_ID))
    throw new BadOperation("it is of another chain")
}

const half = (value: bigint): Hex => numberToHex(value, { size: 16 })
const time = (seconds: number): Hex => numberToHex(seconds, { size: 6 })

const WORDS = [
  "uint256",
  "address",
  "uint256",
  "bytes32",
  "bytes32",
  "bytes32",
  "uint256",
  "bytes32",
  "bytes32"
].map(type => ({ type }))

/** As the contract's `hashOf`. */
const hashOf = (operation: Operation, validity: Hex): Hex =>
  keccak256(
    encodeAbiParameters(WORDS, [
      BigInt(CHAIN_ID),
      operation.sender,
      operation.nonce,
      keccak256("0x"),
      keccak256(operation.callData),
      concatHex([half(operation.verificationGasLimit), half(operation.callGasLimit)]),
      operation.preVerificationGas,
      concatHex([half(operation.maxPriorityFeePerGas), half(operation.maxFeePerGas)]),
      keccak256(
        concatHex([
          paymasterAddress(),
          half(operation.paymasterVerificationGasLimit),
          half(operation.paymasterPostOpGasLimit),
          validity
        ])
      )
    ])
  )

export class Paymaster {
  readonly #chain: Chain

  constructor(chain: Chain) {
    this.#chain = chain
  }

  async #validity(): Promise<Hex> {
    const now = await this.#chain.now()
    return concatHex([time(now + VALID_SECONDS), time(now - PAST_SECONDS)])
  }

  /** For estimates: its signature has the right length and is nobody's. */
  async stub(_operation: unknown, entryPoint: unknown, chainId: unknown) {
    checkPlace(entryPoint, chainId)
    const signature: Hex = `0x${"11".repeat(SIGNATURE_BYTES - 1)}1b`
    return {
      paymaster: paymasterAddress(),
      paymasterData: concatHex([await this.#validity(), signature]),
      paymasterVerificationGasLimit: numberToHex(VERIFICATION_GAS),
      paymasterPostOpGasLimit: numberToHex(POST_OP_GAS),
      sponsor: { name: "Sandbox paymaster" },
      isFinal: false
    }
  }

  async data(given: unknown, entryPoint: unknown, chainId: unknown) {
    checkPlace(entryPoint, chainId)
    const operation = operationOf(given)
    checkBounds(operation)
    const validity = await this.#validity()
    const signature = await paymasterSigner.signMessage({ message: { raw: hashOf(operation, validity) } })
    if (size(signature) !== SIGNATURE_BYTES) throw new Error("The signature has another length.")
    return { paymaster: paymasterAddress(), paymasterData: concatHex([validity, signature]) }
  }
}
