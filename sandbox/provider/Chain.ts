/** The local chain as the provider sees and writes it, with a key of its own. */
import {
  type Address,
  createTestClient,
  type Hex,
  type HttpTransport,
  http,
  keccak256,
  type PublicActions,
  parseEther,
  publicActions,
  type TestClient,
  type TransactionReceipt,
  toHex
} from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { foundry } from "viem/chains"
import { CREATE2_DEPLOYER, deployment, type Placed } from "./PaymentContract.ts"
import { CHAIN_ID } from "./Publication.ts"

/** Public like the development accounts', and guards as little. */
const account = privateKeyToAccount(keccak256(toHex("sandbox provider")))

const FUNDS = parseEther("1000000")
const PRIORITY = 1n
const TIMEOUT_MILLIS = 10_000

export interface Call {
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
  readonly gas: bigint
}

export interface Signed {
  readonly raw: Hex
  readonly hash: Hex
  readonly nonce: number
}

type Node = TestClient<"anvil", HttpTransport, typeof foundry> & PublicActions<HttpTransport, typeof foundry>

const connect = (url: string): Node =>
  createTestClient({
    mode: "anvil",
    chain: foundry,
    transport: http(url, { timeout: TIMEOUT_MILLIS, retryCount: 0 }),
    cacheTime: 0
  }).extend(publicActions)

export class Chain {
  readonly client: Node
  readonly provider: Address = account.address

  constructor(url: string) {
    this.client = connect(url)
  }

  async genesis(): Promise<Hex> {
    const { hash } = await this.client.getBlock({ blockNumber: 0n })
    return hash
  }

  async isOurs(): Promise<boolean> {
    return (await this.client.getChainId()) === CHAIN_ID
  }

  async fund(): Promise<void> {
    const balance = await this.client.getBalance({ address: account.address })
    if (balance < FUNDS / 2n) await this.client.setBalance({ address: account.address, value: FUNDS })
  }

  nonce(): Promise<number> {
    return this.client.getTransactionCount({ address: account.address })
  }

  async sign(call: Call, nonce: number, chainId = CHAIN_ID): Promise<Signed> {
    const { baseFeePerGas } = await this.client.getBlock()
    const raw = await account.signTransaction({
      ...call,
      type: "eip1559",
      chainId,
      nonce,
      maxFeePerGas: 2n * (baseFeePerGas ?? 0n) + PRIORITY,
      maxPriorityFeePerGas: PRIORITY
    })
    return { raw, hash: keccak256(raw), nonce }
  }

  /** Again, too: what the node has already, it refuses. */
  async send(raw: Hex): Promise<void> {
    await this.client.sendRawTransaction({ serializedTransaction: raw }).catch(() => undefined)
  }

  /** So that a nonce is used whose transaction is gone. */
  async fill(nonce: number): Promise<void> {
    const filler: Call = { to: account.address, data: "0x", value: 0n, gas: 21_000n }
    const { raw } = await this.sign(filler, nonce)
    await this.send(raw)
  }

  receipt(hash: Hex): Promise<TransactionReceipt | undefined> {
    return this.client.getTransactionReceipt({ hash }).catch(cause => {
      if (Object(cause).name === "TransactionReceiptNotFoundError") return undefined
      throw cause
    })
  }

  /** Creates a contract by the deployer unless it stands there; puts its code back where another took its place. */
  async place(contract: Placed, nonce?: number): Promise<void> {
    const { address, creationCode } = contract
    const code = await this.client.getCode({ address })
    const { data: expected } = await this.client.call({ data: creationCode })
    if (code === expected) return
    if (expected === undefined) throw new Error("The provider's contract has no code.")
    if (code !== undefined) return this.client.setCode({ address, bytecode: expected })
    const call = { to: CREATE2_DEPLOYER, data: deployment(contract), value: 0n, gas: 2_000_000n }
    const { raw } = await this.sign(call, nonce ?? (await this.nonce()))
    await this.client.sendRawTransactionSync({ serializedTransaction: raw })
    if ((await this.client.getCode({ address })) !== expected)
      throw new Error(`The provider's contract is not at ${address}.`)
  }

  /** The next block's time in seconds. */
  async now(): Promise<number> {
    const { timestamp } = await this.client.getBlock({ blockTag: "pending" })
    return Number(timestamp)
  }
}
