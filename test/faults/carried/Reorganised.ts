/** A sent operation whose execution a reorganisation takes away, puts elsewhere, or has happen in another shape. */
import { numberToHex } from "viem"
import { assert } from "vitest"
import { hashOf, transactionsOf } from "../../bundler/scripted/Carry.ts"
import { payment } from "../../support/PlannedCalls.ts"
import { mine } from "../../support/RelayBench.ts"
import { rpc } from "../../support/Rpc.ts"
import { until } from "../../support/Until.ts"
import {
  askOperation,
  type BoundTestWallet,
  type ShownOperation,
  sendOperation,
  walletPlan
} from "../../useroperations/support/Operating.ts"
import type { Chance } from "../crash/Chance.ts"
import { type Carried, carriedAt } from "../operating/Events.ts"
import { type CarriedStand, lookAt, newBoundWallet, type Ready, readied } from "./Stand.ts"

const SHAPES = ["alone", "nested", "among-others"] as const

type Shape = (typeof SHAPES)[number]

const CONFIRMATIONS = 2
const SEVERAL = 0.3
const PATIENCE_MILLIS = 300_000
const POLL_MILLIS = 1_000
const DONE = ["confirming", "confirmed", "reverted"]

type ReorgKind = "gone" | "again" | "in another shape"

interface Truth {
  readonly carried: Carried | undefined
  readonly confirmations: number
}

const truthOf = async ({ chain }: CarriedStand, { operation }: Ready): Promise<Truth> => {
  const carried = await carriedAt(chain.url, operation.operationHash)
  const head = BigInt(await rpc(chain.url, "eth_blockNumber"))
  return { carried, confirmations: carried === undefined ? 0 : Number(head - carried.block) + 1 }
}

/** The look that finds an execution gone leaves it to the next to find another. */
type Moment = "anytime" | "just reorganised"

const assertTold = (
  { state, observation }: ShownOperation,
  { carried, confirmations }: Truth,
  moment: Moment
) => {
  if (carried === undefined) {
    assert.notInclude(DONE, state)
    return
  }
  if (moment === "just reorganised" && observation?.transactionHash !== carried.hash) {
    assert.include(["reorged", "confirming"], state)
    return
  }
  const end = carried.success ? "confirmed" : "reverted"
  assert.strictEqual(state, confirmations < CONFIRMATIONS ? "confirming" : end)
  assert.strictEqual(observation?.transactionHash, carried.hash)
}

/** What is told is so; what the chain did while it was looked at is looked at again. */
const look = async (stand: CarriedStand, ready: Ready, moment: Moment = "anytime"): Promise<void> => {
  for (;;) {
    const before = await truthOf(stand, ready)
    const told = await lookAt(stand, ready)
    const after = await truthOf(stand, ready)
    if (before.carried?.hash !== after.carried?.hash || before.confirmations !== after.confirmations) continue
    assertTold(told, after, moment)
    return
  }
}

/** A local chain's time runs ahead of the service's where many blocks are made at once; then nothing is prepared for a while. */
const prepared = async (stand: CarriedStand, standing: BoundTestWallet, chance: Chance): Promise<Ready> => {
  const calls = Array.from({ length: chance.happens(SEVERAL) ? 2 : 1 }, () =>
    payment(stand, standing.wallet.address)
  )
  const plan = await walletPlan(stand, standing, { calls })
  const stepIndexes = calls.map((_, index) => index)
  const end = Date.now() + PATIENCE_MILLIS
  for (;;) {
    const answer = await askOperation(stand.service, standing.owner, { planId: plan.id, stepIndexes })
    if (answer.status === 201) return readied(standing, await answer.json())
    const told = await answer.text()
    assert.strictEqual(answer.status, 503, told)
    assert.isBelow(Date.now(), end, told)
    await new Promise(resolve => setTimeout(resolve, POLL_MILLIS))
  }
}

const isThere = async (stand: CarriedStand, ready: Ready): Promise<boolean> =>
  (await truthOf(stand, ready)).carried !== undefined

/** Sent by the service, and carried out by its bundler in this shape. */
const send = async (stand: CarriedStand, ready: Ready, shape: Shape): Promise<void> => {
  const { script, service } = stand
  script.arm("eth_sendUserOperation", { name: shape, conduct: shape })
  const answer = await sendOperation(service, ready.owner, ready.operation, ready.signature)
  assert.strictEqual(answer.status, 202, await answer.clone().text())
  await until(
    () => isThere(stand, ready),
    there => there
  )
}

/** What left of it, in transactions of this shape. */
const carrying = async (stand: CarriedStand, { operation }: Ready, shape: Shape) => {
  const left = stand.script.sent.find(each => hashOf(each) === operation.operationHash)
  return left === undefined ? assert.fail("it did not leave") : transactionsOf(stand, shape, left)
}

const reorganise = async (
  stand: CarriedStand,
  ready: Ready,
  { depth, shape }: { readonly depth: number; readonly shape: Shape },
  chance: Chance
): Promise<ReorgKind> => {
  const kind = chance.pick<ReorgKind>(["gone", "again", "in another shape", "in another shape"])
  const others = SHAPES.filter(other => other !== shape)
  const into = kind === "again" ? shape : (others[chance.below(others.length)] ?? shape)
  const transactions = kind === "gone" ? [] : await carrying(stand, ready, into)
  const at = chance.below(depth)
  await rpc(stand.chain.url, "anvil_reorg", [depth, transactions.map(transaction => [transaction, at])])
  assert.strictEqual(await isThere(stand, ready), kind !== "gone", `${kind}, ${into}`)
  return kind
}

/** By whoever has its bytes, or never: whatever it is, it is told. */
const finish = async (stand: CarriedStand, ready: Ready, chance: Chance) => {
  if ((await isThere(stand, ready)) || chance.happens(0.2)) return
  for (const transaction of await carrying(stand, ready, chance.pick(SHAPES)))
    await rpc(stand.chain.url, "eth_sendTransaction", [transaction])
  await until(
    () => isThere(stand, ready),
    there => there
  )
  await look(stand, ready, "just reorganised")
  await mine(stand)
  await look(stand, ready)
}

/** Bound so deep that no reorganisation takes the wallets away. */
export const standingWallets = async (
  stand: CarriedStand,
  count: number,
  deepest: number
): Promise<ReadonlyArray<BoundTestWallet>> => {
  await stand.companions()
  const standing: Array<BoundTestWallet> = []
  for (let index = 0; index < count; index++) standing.push(await newBoundWallet(stand))
  await mine(stand, deepest + 2)
  return standing
}

/** With those that were sent before, whose executions it may take away, too. */
export const runCarriedReorg = async (
  stand: CarriedStand,
  standing: BoundTestWallet,
  depth: number,
  chance: Chance,
  former: ReadonlyArray<Ready>
): Promise<{ readonly kind: ReorgKind; readonly ready: Ready }> => {
  const ready = await prepared(stand, standing, chance)
  const shape = chance.pick(SHAPES)
  await send(stand, ready, shape)
  await look(stand, ready)
  const blocks = chance.below(depth)
  if (blocks > 0) await rpc(stand.chain.url, "anvil_mine", [numberToHex(blocks)])
  await look(stand, ready)
  const kind = await reorganise(stand, ready, { depth, shape }, chance)
  for (const each of [ready, ...former]) await look(stand, each, "just reorganised")
  await mine(stand, 1 + chance.below(3))
  for (const each of [ready, ...former]) await look(stand, each)
  await finish(stand, ready, chance)
  return { kind, ready }
}
