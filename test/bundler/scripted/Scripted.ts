/** A bundler and a paymaster in one server, which carry out and sign what they are asked to on a local chain, and lie where they are told to. */
import { createServer, type ServerResponse } from "node:http"
import { Schema } from "effect"
import { type Hex, keccak256, numberToHex, pad } from "viem"
import { Chain, ENTRY_POINT, paymasterAddress } from "../../../sandbox/bundler/Chain.ts"
import { Paymaster } from "../../../sandbox/bundler/Paymaster.ts"
import { UserOperation } from "../../../src/values/UserOperation.ts"
import { keptOpen } from "../../support/KeptOpen.ts"
import { close, listen } from "../../support/Listening.ts"
import { rpc } from "../../support/Rpc.ts"
import { answerFaultily, answerJson } from "../../support/WireFaults.ts"
import { type Carrying, carryOut, hashOf, receiptOf } from "./Carry.ts"
import type { Lie, Method } from "./Lies.ts"

export interface ScriptedBundler {
  readonly url: string
  /** What it was asked to carry, oldest first. */
  readonly sent: ReadonlyArray<UserOperation>
  /** How often it was asked anything, by method. */
  readonly asked: ReadonlyMap<string, number>
  /** From the next question of the method on. */
  readonly arm: (method: Method, lie: Lie, times?: number) => void
  /** It tells the truth again, and the paymaster has its deposit. */
  readonly disarm: () => Promise<void>
  readonly stop: () => Promise<void>
}

const GAS = {
  preVerificationGas: "0x186a0",
  verificationGasLimit: "0x7a120",
  callGasLimit: "0xf4240",
  paymasterVerificationGasLimit: "0xea60",
  paymasterPostOpGasLimit: "0x1"
}

const read = Schema.decodeUnknownSync(UserOperation)

const DEPOSIT = 1_000n * 10n ** 18n

/** Of the entry point's first mapping: an account's deposit. */
const depositSlot = (): Hex => keccak256(`${pad(paymasterAddress())}${pad("0x0").slice(2)}`)

const setDeposit = async (chainUrl: string, wei: bigint): Promise<void> => {
  await rpc(chainUrl, "anvil_setStorageAt", [ENTRY_POINT, depositSlot(), numberToHex(wei, { size: 32 })])
}

/** Without the ether behind it nobody who carries an operation out is paid. */
const fill = async (chainUrl: string): Promise<void> => {
  await setDeposit(chainUrl, DEPOSIT)
  await rpc(chainUrl, "anvil_setBalance", [ENTRY_POINT, numberToHex(2n * DEPOSIT)])
}

type Params = ReadonlyArray<unknown>
type Answers = Readonly<Record<string, (params: Params, lie: Lie | undefined) => Promise<unknown>>>

const gasPrice = async (chainUrl: string) => {
  const { baseFeePerGas } = await rpc(chainUrl, "eth_getBlockByNumber", ["latest", false])
  const priority = 1_000_000_000n
  const fees = {
    maxFeePerGas: numberToHex(2n * BigInt(baseFeePerGas) + priority),
    maxPriorityFeePerGas: numberToHex(priority)
  }
  return { slow: fees, standard: fees, fast: fees }
}

const answersOf = (carrying: Carrying, keep: (operation: UserOperation) => void): Answers => {
  const { chainUrl } = carrying
  const paymaster = new Paymaster(new Chain(chainUrl))
  return {
    eth_chainId: async () => "0x7a69",
    eth_supportedEntryPoints: async () => [ENTRY_POINT],
    pimlico_getUserOperationGasPrice: () => gasPrice(chainUrl),
    eth_estimateUserOperationGas: async () => GAS,
    pm_getPaymasterStubData: ([operation, ...place]) => paymaster.stub(operation, place[0], place[1]),
    pm_getPaymasterData: async ([operation, ...place], lie) => {
      if (lie?.conduct === "drained") await setDeposit(chainUrl, 0n)
      return paymaster.data(operation, place[0], place[1])
    },
    eth_sendUserOperation: async ([given], lie) => {
      const operation = read(given)
      keep(operation)
      await carryOut(carrying, lie?.conduct ?? "alone", operation)
      return hashOf(operation)
    },
    eth_getUserOperationReceipt: ([hash]) => receiptOf(chainUrl, String(hash)),
    eth_getUserOperationByHash: async () => null
  }
}

interface Telling {
  readonly lie: Lie
  left: number
}

/** Those that are told once at a time, by method. */
class Tellings {
  readonly #armed = new Map<string, Telling>()

  arm(method: Method, lie: Lie, left: number): void {
    this.#armed.set(method, { lie, left })
  }

  next(method: string): Lie | undefined {
    const telling = this.#armed.get(method)
    if (telling === undefined || telling.left === 0) return undefined
    telling.left -= 1
    return telling.lie
  }

  clear(): void {
    this.#armed.clear()
  }
}

const say = (response: ServerResponse, id: unknown, lie: Lie | undefined, result: unknown): void => {
  const told = lie?.told === undefined ? result : lie.told(result)
  const said = lie?.error === undefined ? { result: told } : { error: lie.error }
  const body = JSON.stringify({ jsonrpc: "2.0", id, ...said })
  if (lie?.wire === undefined) answerJson(response, body)
  else answerFaultily(response, body, lie.wire)
}

const UNKNOWN = { name: "", error: { code: -32_601, message: "no such method" } }
const REFUSED = { name: "", error: { code: -32_602, message: "refused" } }

export const startScriptedBundler = async (carrying: Carrying): Promise<ScriptedBundler> => {
  const sent: Array<UserOperation> = []
  const asked = new Map<string, number>()
  const tellings = new Tellings()
  const answers = answersOf(carrying, operation => sent.push(operation))
  const server = createServer(keptOpen, async (request, response) => {
    const chunks: Array<Uint8Array> = []
    for await (const chunk of request) chunks.push(chunk)
    const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString())
    asked.set(method, (asked.get(method) ?? 0) + 1)
    const answer = answers[method]
    if (answer === undefined) return say(response, id, UNKNOWN, undefined)
    const lie = tellings.next(method)
    await answer(params, lie).then(
      result => say(response, id, lie, result),
      () => say(response, id, REFUSED, undefined)
    )
  })
  await fill(carrying.chainUrl)
  const url = `http://127.0.0.1:${await listen(server)}`
  const disarm = async () => {
    tellings.clear()
    await fill(carrying.chainUrl)
  }
  const arm = (method: Method, lie: Lie, times = 1) => tellings.arm(method, lie, times)
  return { url, sent, asked, arm, disarm, stop: () => close(server) }
}
