/** What happens to a session on its chain, as transactions that can be put into other blocks, and in another shape. */
import type { Hex } from "viem"
import { assert } from "vitest"
import { hashOf, nestedCall, transactionsOf } from "../../bundler/scripted/Carry.ts"
import { enableData, revokeData } from "../../sessions/support/Guarded.ts"
import {
  askSessionOperation,
  type LiveSession,
  ownersTell,
  paymentPlan,
  sendByKey
} from "../../sessions/support/Operated.ts"
import { rpc } from "../../support/Rpc.ts"
import { until } from "../../support/Until.ts"
import type { CarriedStand } from "../carried/Stand.ts"
import { carriedAt } from "../operating/Events.ts"

const PLAIN = ["alone", "nested"] as const
const CARRIED = ["alone", "nested", "among-others"] as const

type Transaction = object

/** Of one event, by its shape. */
export type Shapes = ReadonlyMap<string, ReadonlyArray<Transaction>>

export type Happening = "enable" | "revoke" | "use"

const GAS = "0x1c9c380"

/** The owners' transaction as it was mined, and the same call from within another. */
const plainShapes = async (stand: CarriedStand, hash: Hex): Promise<Shapes> => {
  const { from, to, input } = await rpc(stand.chain.url, "eth_getTransactionByHash", [hash])
  const [alone, nested] = PLAIN
  return new Map([
    [alone, [{ from, to, data: input, gas: GAS }]],
    [nested, [{ from, data: nestedCall(to, input), gas: GAS }]]
  ])
}

export const told = async (
  stand: CarriedStand,
  live: LiveSession,
  happening: "enable" | "revoke"
): Promise<Shapes> => {
  const { encodedPolicy, enableNonce, permissionId } = live.session.compiled
  const data =
    happening === "enable" ? enableData(encodedPolicy, BigInt(enableNonce)) : revokeData(permissionId)
  const { transactionHash } = await ownersTell(stand, live, data)
  return plainShapes(stand, transactionHash)
}

/** What left of the operation, in each shape. */
const carriedShapes = async (stand: CarriedStand, operationHash: string): Promise<Shapes> => {
  const left = stand.script.sent.find(each => hashOf(each) === operationHash)
  if (left === undefined) return assert.fail("it did not leave")
  const each = CARRIED.map(async shape => [shape, await transactionsOf(stand, shape, left)] as const)
  return new Map<string, ReadonlyArray<Transaction>>(await Promise.all(each))
}

export interface Use {
  readonly id: string
  readonly operationHash: Hex
  readonly amount: bigint
  readonly shapes: Shapes
}

export interface Refused {
  readonly status: number
  readonly code: string
}

/** By the session's key, and carried out at once in this shape, or left to whoever has its bytes. */
export const use = async (
  stand: CarriedStand,
  live: LiveSession,
  amount: bigint,
  conduct: (typeof CARRIED)[number] | "dropped"
): Promise<Use | Refused> => {
  const plan = await paymentPlan(stand, live, { amount })
  const prepared = await askSessionOperation(stand, live, plan)
  const operation = await prepared.json()
  if (prepared.status !== 201) return { status: prepared.status, code: operation.code }
  stand.script.arm("eth_sendUserOperation", { name: conduct, conduct })
  const sent = await sendByKey(stand, live, operation)
  if (sent.status !== 202) return { status: sent.status, code: (await sent.json()).code }
  if (conduct !== "dropped")
    await until(
      () => carriedAt(stand.chain.url, operation.operationHash),
      found => found !== undefined
    )
  const { id, operationHash } = operation
  return { id, operationHash, amount, shapes: await carriedShapes(stand, operationHash) }
}

export const isRefused = (outcome: Use | Refused): outcome is Refused => "code" in outcome
