/** A plan of three dependent payments under a reorganisation, from its first relay to its last confirmation. */
import { type Hex, numberToHex } from "viem"
import { assert } from "vitest"
import type { Plan } from "../../../src/plans/Plan.ts"
import { callOf, payment, planned, stepOf } from "../../support/PlannedCalls.ts"
import { assertProblem } from "../../support/Problem.ts"
import { mine, newPayer, timesSent } from "../../support/RelayBench.ts"
import { rpc } from "../../support/Rpc.ts"
import { hashOf, signCall } from "../../support/SignedCalls.ts"
import type { Party } from "../../support/SignedFetch.ts"
import { refreshed, submit, submitted } from "../../support/Submissions.ts"
import type { Chance } from "../crash/Chance.ts"
import type { Stand } from "../matrix/Stand.ts"
import { checkConfirmed } from "../matrix/Told.ts"
import { newStranger, type Replaced, reorganise } from "./Reorganise.ts"
import { assertTrue } from "./Truth.ts"

const STEPS = 3
const RECEIPT = "eth_getTransactionReceipt"

interface Relayed {
  readonly owner: Party
  plan: Plan
  readonly raws: Array<Hex>
}

const mineSome = async ({ bench }: Stand, blocks: number) => {
  if (blocks > 0) await mine(bench, blocks)
}

/** Looks by the client's refresh or by recovery, and holds what is told against the chain. */
const look = async (stand: Stand, relayed: Relayed, chance: Chance): Promise<Plan> => {
  const { bench } = stand
  const sent = bench.proxy.sent().length
  if (chance.happens(0.3)) await stand.recover(relayed.plan.id)
  const plan = await refreshed(bench.service, relayed.owner, relayed.plan)
  assert.strictEqual(bench.proxy.sent().length, sent, "sent by looking")
  await checkConfirmed(bench.chain.url, plan)
  await assertTrue(bench.chain.url, plan, relayed.plan)
  relayed.plan = plan
  return plan
}

const relayNext = async ({ bench }: Stand, { owner, plan, raws }: Relayed) => {
  const step = raws.length
  const raw = await signCall(bench, owner, callOf(plan, step))
  await submitted(bench.service, owner, plan, { rawSignedTransaction: raw }, { step })
  raws.push(raw)
}

/** Deep enough that no reorganisation reaches the blocks in which the wallets got their funds. */
const begin = async (stand: Stand, depth: number, chance: Chance) => {
  const { bench } = stand
  const owner = await newPayer(bench)
  const stranger = await newStranger(stand)
  const pay = payment(bench, owner.key.address)
  const calls = Array.from({ length: STEPS }, (_, index) =>
    index === 0 ? pay : { ...pay, dependsOn: [index - 1] }
  )
  const evidenceIsOld = chance.happens(0.6)
  await mineSome(stand, 1)
  if (!evidenceIsOld) await mineSome(stand, depth + 1)
  const plan = await planned(bench, owner, { calls })
  if (evidenceIsOld) await mineSome(stand, depth + 1)
  const relayed: Relayed = { owner, plan, raws: [] }
  const steps = 1 + chance.below(STEPS)
  for (let step = 0; step < steps; step++) {
    await relayNext(stand, relayed)
    await mineSome(stand, step + 1 < steps ? 2 + chance.below(3) : 1 + chance.below(depth + 2))
  }
  return { relayed, stranger }
}

/** A node that answers with the receipt of somebody else's transaction, however often it is asked, is not believed. */
const beLiedTo = async ({ bench }: Stand, { owner, plan }: Relayed, stranger: Hex) => {
  const other = await rpc(bench.chain.url, RECEIPT, [hashOf(stranger)])
  bench.proxy.fault({ method: RECEIPT, times: 100, phase: "after", act: { kind: "result", result: other } })
  const told = await refreshed(bench.service, owner, plan)
  bench.proxy.clearFaults()
  assert.notInclude(["confirmed", "confirming", "reverted"], stepOf(told).state)
}

const refuseDependent = async ({ bench }: Stand, { owner, plan, raws }: Relayed) => {
  const step = raws.length
  if (step >= STEPS || stepOf(plan, step).state !== "blocked") return
  // Unlike the lost step's, whose call and nonce it shares.
  const raw = await signCall(bench, owner, callOf(plan, step), { gas: 950_000n })
  const answer = await submit(bench.service, owner, plan, { rawSignedTransaction: raw }, { step })
  await assertProblem(answer, "DEPENDENCIES_UNCONFIRMED")
  assert.strictEqual(timesSent(bench, raw), 0)
}

const evidenceHolds = async ({ bench }: Stand, { evidence: [seen] }: Plan): Promise<boolean> => {
  const number = numberToHex(BigInt(seen?.blockNumber ?? 0))
  const block = await rpc(bench.chain.url, "eth_getBlockByNumber", [number, false])
  return block?.hash === seen?.blockHash
}

/** The lost bytes again: by the service where the plan's evidence still holds, else by the wallet itself. */
const putBack = async (stand: Stand, relayed: Relayed, chance: Chance) => {
  const { bench, sql } = stand
  for (const [step, raw] of relayed.raws.entries()) {
    const isThere = (await rpc(bench.chain.url, "eth_getTransactionByHash", [hashOf(raw)])) !== null
    if (!isThere) {
      await sql("UPDATE dispatch_leases SET expires_at = 0 WHERE plan = $1", [relayed.plan.id])
      if (await evidenceHolds(stand, relayed.plan))
        await submitted(bench.service, relayed.owner, relayed.plan, { rawSignedTransaction: raw }, { step })
      else await rpc(bench.chain.url, "eth_sendRawTransaction", [raw])
    }
    await mineSome(stand, 2)
    await look(stand, relayed, chance)
  }
}

const finish = async (stand: Stand, relayed: Relayed, chance: Chance) => {
  while (relayed.raws.length < STEPS && (await evidenceHolds(stand, relayed.plan))) {
    await relayNext(stand, relayed)
    await mineSome(stand, 2)
    await look(stand, relayed, chance)
  }
  for (const index of relayed.raws.keys()) assert.strictEqual(stepOf(relayed.plan, index).state, "confirmed")
}

const auditSent = async ({ bench, sql }: Stand, { plan, raws }: Relayed) => {
  const leases = await sql("SELECT step, hash, count FROM dispatch_leases WHERE plan = $1", [plan.id])
  assert.strictEqual(leases.length, raws.length)
  for (const { step, hash, count } of leases) {
    const raw = raws[Number(step)]
    if (raw === undefined) return assert.fail("a claim without bytes")
    assert.strictEqual(hash, hashOf(raw))
    assert.isAtMost(timesSent(bench, raw), Number(count))
  }
}

export const runReorg = async (stand: Stand, depth: number, chance: Chance): Promise<Replaced["kind"]> => {
  const { relayed, stranger } = await begin(stand, depth, chance)
  await look(stand, relayed, chance)
  const { raws } = relayed
  const wanted = { depth, raws, hashes: raws.map(hashOf), call: callOf(relayed.plan) }
  const { kind, stranger: foreign } = await reorganise(stand, stranger, wanted, chance)
  if (foreign !== undefined && chance.happens(0.4)) await beLiedTo(stand, relayed, foreign)
  await look(stand, relayed, chance)
  await refuseDependent(stand, relayed)
  await mineSome(stand, chance.below(3))
  await look(stand, relayed, chance)
  await putBack(stand, relayed, chance)
  await finish(stand, relayed, chance)
  await auditSent(stand, relayed)
  return kind
}
