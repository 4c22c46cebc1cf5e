/** A user operation whose chain's node fails or lies in one phase, and says the truth in all others. */
import { assert } from "vitest"
import { payment } from "../../support/PlannedCalls.ts"
import { mine } from "../../support/RelayBench.ts"
import { rpc } from "../../support/Rpc.ts"
import { askOperation, sendOperation, walletPlan } from "../../useroperations/support/Operating.ts"
import type { Chance } from "../crash/Chance.ts"
import { FAULTS, type FaultName, type Method } from "../matrix/Cells.ts"
import { strikeOf } from "../matrix/Faults.ts"
import { type CarriedStand, lookAt, newBoundWallet, type Ready, readied } from "./Stand.ts"

const PHASES = ["preparation", "submission", "look"] as const
/** What operations ask of a node. */
const METHODS: readonly [Method, ...Array<Method>] = [
  "eth_getBlockByNumber",
  "eth_call",
  "eth_getCode",
  "eth_getStorageAt",
  "eth_getBalance",
  "eth_getTransactionReceipt",
  "eth_chainId"
]

const LASTING = 1_000_000
const OLDER_BLOCKS = 4

export interface NodeCase {
  readonly fault: FaultName
  readonly method: Method
  readonly phase: (typeof PHASES)[number]
}

export const nodeCase = (chance: Chance): NodeCase => ({
  fault: chance.pick(FAULTS),
  method: chance.pick(METHODS),
  phase: chance.pick(PHASES)
})

const olderBlock = async ({ chain }: CarriedStand) => {
  const head = Number(await rpc(chain.url, "eth_blockNumber"))
  return rpc(chain.url, "eth_getBlockByNumber", [`0x${(head - OLDER_BLOCKS).toString(16)}`, false])
}

/** Refusals are as good as any answer but the one for faults of ours. */
const refused = async (stand: CarriedStand, answer: Response, sentBefore: number): Promise<undefined> => {
  assert.notStrictEqual(answer.status, 500, JSON.stringify(await answer.json()))
  assert.strictEqual(stand.script.sent.length, sentBefore, "refused, and sent")
}

/** The operation that left; undefined where it was refused. */
export const runNodeFault = async (
  stand: CarriedStand,
  { fault, method, phase }: NodeCase,
  chance: Chance
): Promise<Ready | undefined> => {
  const { service, script, proxy } = stand
  const standing = await newBoundWallet(stand)
  const { owner, wallet } = standing
  const plan = await walletPlan(stand, standing, { calls: [payment(stand, wallet.address)] })
  const strike = strikeOf(fault, method, { chance, older: await olderBlock(stand) })
  const during = async <A>(at: NodeCase["phase"], work: () => Promise<A>): Promise<A> => {
    if (at === phase) proxy.fault({ method, times: LASTING, ...strike })
    return work().finally(proxy.clearFaults)
  }
  const before = script.sent.length
  const prepared = await during("preparation", () =>
    askOperation(service, owner, { planId: plan.id, stepIndexes: [0] })
  )
  if (prepared.status !== 201) return refused(stand, prepared, before)
  const ready = await readied(standing, await prepared.json())
  const sent = await during("submission", () =>
    sendOperation(service, owner, ready.operation, ready.signature)
  )
  if (sent.status !== 202) return refused(stand, sent, before)
  await mine(stand)
  await during("look", () => lookAt(stand, ready).catch(() => undefined))
  return ready
}
