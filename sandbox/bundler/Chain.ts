/** The local chain as the bundler's process prepares it: keys with ether, and a paymaster with a deposit. */
import { setTimeout } from "node:timers/promises"
import {
  type Address,
  createTestClient,
  encodeFunctionData,
  type Hex,
  http,
  keccak256,
  parseAbi,
  parseEther,
  publicActions,
  toHex
} from "viem"
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts"
import { foundry } from "viem/chains"
import stack from "../../schema/execution/stack.json" with { type: "json" }
import { hex } from "../addresses.ts"

/** Public like the development accounts', and guard as little. */
const keyOf = (label: string): Hex => keccak256(toHex(label))

export const EXECUTOR = keyOf("sandbox bundler executor")
export const UTILITY = keyOf("sandbox bundler utility")
export const paymasterSigner: PrivateKeyAccount = privateKeyToAccount(keyOf("sandbox paymaster"))

export const CHAIN_ID = stack.chainId
export const ENTRY_POINT: Address = hex(stack.pins.entryPoint.address)

const [paymaster] = stack.paymasters

export const paymasterAddress = (): Address => {
  if (paymaster === undefined) throw new Error("No paymaster is known.")
  return hex(paymaster.address)
}

const FUNDS = parseEther("1000000")
const DEPOSIT = parseEther("1000")
const POLL_MILLIS = 100
const POLLS = 600

const entryPointAbi = parseAbi([
  "function depositTo(address account) payable",
  "function balanceOf(address account) view returns (uint256)"
])

const connect = (url: string) =>
  createTestClient({
    mode: "anvil",
    chain: foundry,
    transport: http(url, { retryCount: 0 }),
    cacheTime: 0
  }).extend(publicActions)

export class Chain {
  readonly client: ReturnType<typeof connect>

  constructor(url: string) {
    this.client = connect(url)
  }

  /** The contracts of smart accounts are perhaps being placed. */
  async standing(): Promise<void> {
    if ((await this.client.getChainId()) !== CHAIN_ID)
      throw new Error("The bundler serves the local chain alone.")
    for (let poll = 0; poll < POLLS; poll++) {
      if ((await this.client.getCode({ address: paymasterAddress() })) !== undefined) return
      await setTimeout(POLL_MILLIS)
    }
    throw new Error("The local chain has no contracts of smart accounts.")
  }

  async #fund(address: Address): Promise<void> {
    const balance = await this.client.getBalance({ address })
    if (balance < FUNDS / 2n) await this.client.setBalance({ address, value: FUNDS })
  }

  async fund(): Promise<void> {
    for (const key of [EXECUTOR, UTILITY]) await this.#fund(privateKeyToAccount(key).address)
    await this.#fund(paymasterSigner.address)
  }

  /** Ether of the paymaster's at the entry point, of which operations are paid. */
  deposit(): Promise<bigint> {
    return this.client.readContract({
      address: ENTRY_POINT,
      abi: entryPointAbi,
      functionName: "balanceOf",
      args: [paymasterAddress()]
    })
  }

  async fill(): Promise<void> {
    if ((await this.deposit()) >= DEPOSIT / 2n) return
    const data = encodeFunctionData({
      abi: entryPointAbi,
      functionName: "depositTo",
      args: [paymasterAddress()]
    })
    const { baseFeePerGas } = await this.client.getBlock()
    const serializedTransaction = await paymasterSigner.signTransaction({
      type: "eip1559",
      chainId: CHAIN_ID,
      to: ENTRY_POINT,
      data,
      value: DEPOSIT,
      gas: 200_000n,
      nonce: await this.client.getTransactionCount({ address: paymasterSigner.address }),
      maxFeePerGas: 2n * (baseFeePerGas ?? 0n) + 1n,
      maxPriorityFeePerGas: 1n
    })
    await this.client.sendRawTransactionSync({ serializedTransaction })
  }

  /** The head's time in seconds. */
  async now(): Promise<number> {
    const { timestamp } = await this.client.getBlock()
    return Number(timestamp)
  }
}
