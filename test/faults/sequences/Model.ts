/** What an owner's plans and steps must be after each command: what is bound, what the chain has, and what left. */

import type { Hex } from "viem"
import { assert } from "vitest"
import type { Plan, StoredReceipt } from "../../../src/plans/Plan.ts"
import { problemIn } from "../../support/Problem.ts"
import {
  callOf,
  hashOf,
  mine,
  newPayer,
  payment,
  pendingNonce,
  planned,
  type RelayBench,
  refreshed,
  rpc,
  signCall,
  stepOf,
  submit
} from "../../support/RelayBench.ts"
import { NATIVE_TOKEN } from "../../support/Sandbox.ts"
import type { Party } from "../../support/SignedFetch.ts"
import { sqlOn } from "../../support/Sql.ts"
import type { Command } from "./Commands.ts"

const CONFIRMATIONS = 2

interface Bytes {
  readonly raw: Hex
  readonly nonce: number
}

interface ModelStep {
  readonly plan: Plan
  readonly index: number
  readonly tried: Array<Bytes>
  bound: Bytes | undefined
  /** As a refresh last showed it. */
  receipt: StoredReceipt | undefined
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

const call = ({ bench }: Model, method: string, parameters: ReadonlyArray<unknown> = []) =>
  rpc(bench.chain.url, method, parameters)

const heightOf = async (model: Model): Promise<number> => Number(await call(model, "eth_blockNumber"))

const depthOf = async (model: Model, { raw }: Bytes): Promise<number> => {
  const receipt = await call(model, "eth_getTransactionReceipt", [hashOf(raw)])
  return receipt === null ? 0 : (await heightOf(model)) - Number(receipt.blockNumber) + 1
}

const isKnown = async (model: Model, { raw }: Bytes): Promise<boolean> =>
  (await call(model, "eth_getTransactionByHash", [hashOf(raw)])) !== null

const isSatisfied = async (model: Model, { bound }: ModelStep): Promise<boolean> =>
  bound !== undefined && (await depthOf(model, bound)) >= CONFIRMATIONS

const REFUSALS = [
  "STEP_ALREADY_BOUND",
  "NONCE_RESERVED",
  "NONCE_NOT_READY",
  "DEPENDENCIES_UNCONFIRMED",
  "PLAN_EVIDENCE_REORGED",
  "STEP_STATE_UNCERTAIN"
]

type Which = Extract<Command, { readonly do: "submit" }>["bytes"]

const bytesFor = async ({ bench, owner }: Model, step: ModelStep, which: Which): Promise<Bytes> => {
  const known = which === "rival" ? step.tried[1] : step.tried[0]
  if (known !== undefined && which !== "fresh") return known
  const nonce = await pendingNonce(bench, owner.key.address)
  const gas = 1_000_000n + BigInt(step.tried.length)
  const made = { raw: await signCall(bench, owner, callOf(step.plan, step.index), { nonce, gas }), nonce }
  step.tried.push(made)
  return made
}

const holderOf = ({ plans }: Model, nonce: number) => plans.flat().find(({ bound }) => bound?.nonce === nonce)

const count = ({ answers }: Model, what: string) => {
  answers[what] = (answers[what] ?? 0) + 1
}

const submitOne = async (model: Model, step: ModelStep, which: Which) => {
  const { bench, owner, plans } = model
  const bytes = await bytesFor(model, step, which)
  const wasKnown = await isKnown(model, bytes)
  const siblings = plans.find(steps => steps.includes(step)) ?? []
  const needed = callOf(step.plan, step.index).dependsOn.flatMap(index => siblings[index] ?? [])
  const isFree = (await Promise.all(needed.map(other => isSatisfied(model, other)))).every(Boolean)
  const wasBound = step.bound
  const holder = holderOf(model, bytes.nonce)
  const request = { rawSignedTransaction: bytes.raw }
  const answer = await submit(bench.service, owner, step.plan, request, { step: step.index })
  if (!answer.ok) {
    const { code } = await problemIn(answer)
    count(model, code)
    assert.include(REFUSALS, code)
    if (wasBound !== undefined && wasBound.raw !== bytes.raw) assert.strictEqual(code, "STEP_ALREADY_BOUND")
    return
  }
  count(model, "admitted")
  assert.isTrue(wasBound === undefined || wasBound.raw === bytes.raw, "bound to two transactions")
  assert.isTrue(holder === undefined || holder === step, "a nonce for two steps")
  assert.isTrue(isFree || wasKnown || wasBound !== undefined, "sent before what it rests on")
  step.bound = bytes
}

const wordFor = async (model: Model, { bound, receipt }: ModelStep, before: string): Promise<string> => {
  if (bound === undefined) return before
  const depth = await depthOf(model, bound)
  if (depth > 0) return depth < CONFIRMATIONS ? "confirming" : "confirmed"
  if (receipt !== undefined)
    return (await heightOf(model)) < Number(receipt.blockNumber) ? "unknown" : "reorged"
  return (await isKnown(model, bound)) ? "submitted" : before
}

const refreshOne = async (model: Model, steps: ReadonlyArray<ModelStep>) => {
  const [first] = steps
  if (first === undefined) return
  const plan = await refreshed(model.bench.service, model.owner, first.plan)
  for (const step of steps) {
    const seen = stepOf(plan, step.index)
    assert.strictEqual(seen.transaction?.hash, step.bound === undefined ? undefined : hashOf(step.bound.raw))
    assert.strictEqual(seen.state, await wordFor(model, step, seen.state))
    if (step.receipt !== undefined) assert.isDefined(seen.receipt)
    step.receipt = seen.receipt
  }
  const satisfied = await Promise.all(steps.map(step => isSatisfied(model, step)))
  assert.strictEqual(plan.status === "transactions_confirmed", satisfied.every(Boolean))
  for (const step of steps)
    if (step.bound === undefined)
      assert.deepStrictEqual(
        stepOf(plan, step.index).blockedBy,
        callOf(plan, step.index).dependsOn.filter(index => !satisfied[index])
      )
}

const prepare = async ({ bench, owner, plans }: Model, dependencies: ReadonlyArray<boolean>) => {
  const { address } = owner.key
  const calls = [false, ...dependencies].map((depends, index) => {
    const value = String(1 + plans.length * 10 + index)
    const args = ["2", NATIVE_TOKEN, value, address, "0", "", "0x"]
    return payment(bench, address, { value, args, dependsOn: depends ? [index - 1] : [] })
  })
  const plan = await planned(bench, owner, { calls })
  plans.push(plan.calls.map((_, index) => ({ plan, index, tried: [], bound: undefined, receipt: undefined })))
}

const SEND = "eth_sendRawTransaction"
const breakSend = {
  drop: { method: SEND, phase: "before", act: { kind: "drop" } },
  lost: { method: SEND, phase: "after", act: { kind: "reset" } },
  reset: { method: SEND, phase: "before", act: { kind: "reset" } }
} as const

const mineSome = (model: Model, blocks: number): Promise<void> => {
  model.mined += blocks
  return mine(model.bench, blocks)
}

const reorganise = async (model: Model, wanted: number): Promise<void> => {
  const depth = Math.min(wanted, model.mined)
  if (depth > 0) await call(model, "anvil_reorg", [depth, []])
}

export const perform = async (model: Model, command: Command): Promise<void> => {
  const { bench, plans } = model
  switch (command.do) {
    case "plan":
      return prepare(model, command.dependencies)
    case "submit": {
      const target = plans[command.plan]?.[command.step]
      return target === undefined ? undefined : submitOne(model, target, command.bytes)
    }
    case "fault":
      bench.proxy.clearFaults()
      return bench.proxy.fault(breakSend[command.fault])
    case "expire":
      await sqlOn(bench.service.databaseUrl, "UPDATE dispatch_leases SET expires_at = 0")
      return
    case "mine":
      return mineSome(model, command.blocks)
    case "reorg":
      return reorganise(model, command.depth)
    case "refresh":
      return refreshOne(model, plans[command.plan] ?? [])
  }
}

/** A new owner's model with a plan of two steps. */
export const begin = async (bench: RelayBench, answers: Model["answers"]): Promise<Model> => {
  const sentBefore = bench.proxy.sent().length
  bench.proxy.clearFaults()
  await mine(bench, 1)
  const model: Model = { bench, owner: await newPayer(bench), plans: [], mined: 0, sentBefore, answers }
  await prepare(model, [true])
  return model
}

/** Only bound bytes ever left, and never more often than they were claimed. */
export const checkSent = async ({ bench, plans, sentBefore }: Model): Promise<void> => {
  const leases = await sqlOn(bench.service.databaseUrl, "SELECT hash, count FROM dispatch_leases")
  const claimed = new Map(leases.map(({ hash, count }) => [hash, Number(count)]))
  const bound = new Set(
    plans.flat().flatMap(step => (step.bound === undefined ? [] : [String(step.bound.raw)]))
  )
  const sent = bench.proxy.sent().slice(sentBefore)
  for (const { raw } of sent) {
    assert.isTrue(bound.has(raw.bytes), "bytes left without a binding")
    const times = sent.filter(other => other.raw.hash === raw.hash).length
    assert.isAtMost(times, claimed.get(raw.hash) ?? 0)
  }
}
