/** What the model keeps of an owner's plans and steps, and what their chain shows of them. */
import type { Hex } from "viem"
import type { Plan, StoredReceipt } from "../../../src/plans/Plan.ts"
import type { RelayBench } from "../../support/RelayBench.ts"
import { rpc } from "../../support/Rpc.ts"
import { hashOf } from "../../support/SignedCalls.ts"
import type { Party } from "../../support/SignedFetch.ts"

export const CONFIRMATIONS = 2

export interface Bytes {
  readonly raw: Hex
  readonly nonce: number
}

export interface ModelStep {
  readonly plan: Plan
  readonly index: number
  readonly tried: Array<Bytes>
  bound: Bytes | undefined
  /** As the service last showed it. */
  receipt: StoredReceipt | undefined
  /** Its last claim to send may live. */
  isClaimed: boolean
  isAged: boolean
}

export interface Model {
  readonly bench: RelayBench
  readonly owner: Party
  readonly plans: Array<ReadonlyArray<ModelStep>>
  /** Blocks of this sequence, which a reorganisation may take back. */
  mined: number
  /** Sent before this sequence. */
  readonly sentBefore: number
  /** Answers to submissions by their code, `admitted` for those that were. */
  readonly answers: Record<string, number>
}

export const call = ({ bench }: Model, method: string, parameters: ReadonlyArray<unknown> = []) =>
  rpc(bench.chain.url, method, parameters)

const heightOf = async (model: Model): Promise<number> => Number(await call(model, "eth_blockNumber"))

export const depthOf = async (model: Model, { raw }: Bytes): Promise<number> => {
  const receipt = await call(model, "eth_getTransactionReceipt", [hashOf(raw)])
  return receipt === null ? 0 : (await heightOf(model)) - Number(receipt.blockNumber) + 1
}

export const isKnown = async (model: Model, { raw }: Bytes): Promise<boolean> =>
  (await call(model, "eth_getTransactionByHash", [hashOf(raw)])) !== null

export const isSatisfied = async (model: Model, { bound }: ModelStep): Promise<boolean> =>
  bound !== undefined && (await depthOf(model, bound)) >= CONFIRMATIONS
