/** What an owner's plans and steps must be after each command: what is bound, what the chain has, and what left. */
import { assert } from "vitest"
import { callOf, payment, planned, stepOf } from "../../support/PlannedCalls.ts"
import { mine, newPayer, type RelayBench } from "../../support/RelayBench.ts"
import { NATIVE_TOKEN } from "../../support/Sandbox.ts"
import { hashOf } from "../../support/SignedCalls.ts"
import { sqlOn } from "../../support/Sql.ts"
import { refreshed } from "../../support/Submissions.ts"
import type { Command } from "./Commands.ts"
import { CONFIRMATIONS, call, depthOf, isKnown, isSatisfied, type Model, type ModelStep } from "./State.ts"
import { bytesFor, submitOne } from "./Submit.ts"

const wordFor = async (
  model: Model,
  { bound, receipt, isClaimed }: ModelStep,
  before: string
): Promise<string> => {
  if (bound === undefined) return before
  const depth = await depthOf(model, bound)
  if (depth > 0) return depth < CONFIRMATIONS ? "confirming" : "confirmed"
  if (receipt !== undefined) return "reorged"
  if (await isKnown(model, bound)) return "submitted"
  return isClaimed ? before : "unknown"
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
    if (seen.receipt !== undefined && step.bound !== undefined)
      assert.strictEqual(seen.receipt.canonical, (await depthOf(model, step.bound)) > 0)
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
  const fresh = { bound: undefined, receipt: undefined, isClaimed: false, isAged: false }
  plans.push(plan.calls.map((_, index) => ({ ...fresh, plan, index, tried: [] })))
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

const rollBack = async (model: Model, wanted: number): Promise<void> => {
  const depth = Math.min(wanted, model.mined)
  if (depth === 0) return
  await call(model, "anvil_rollback", [depth])
  model.mined -= depth
}

const endLeases = async ({ bench, plans }: Model): Promise<void> => {
  await sqlOn(bench.service.databaseUrl, "UPDATE dispatch_leases SET expires_at = 0")
  for (const step of plans.flat()) step.isClaimed = false
}

const age = async ({ bench, plans }: Model): Promise<void> => {
  await sqlOn(bench.service.databaseUrl, "UPDATE plans SET created_at = 0, expires_at = 1")
  for (const step of plans.flat()) step.isAged = true
}

const submitAgain = async (model: Model, nth: number): Promise<void> => {
  const admitted = model.plans
    .flat()
    .flatMap(step => (step.bound === undefined ? [] : [[step, step.bound] as const]))
  const chosen = admitted[nth % Math.max(1, admitted.length)]
  if (chosen !== undefined) await submitOne(model, ...chosen)
}

export const perform = async (model: Model, command: Command): Promise<void> => {
  const { bench, plans } = model
  switch (command.do) {
    case "plan":
      return prepare(model, command.dependencies)
    case "submit": {
      const target = plans[command.plan]?.[command.step]
      return target === undefined
        ? undefined
        : submitOne(model, target, await bytesFor(model, target, command.bytes))
    }
    case "again":
      return submitAgain(model, command.nth)
    case "lose":
      return call(model, "anvil_dropAllTransactions")
    case "fault":
      bench.proxy.clearFaults()
      return bench.proxy.fault(breakSend[command.fault])
    case "expire":
      return endLeases(model)
    case "age":
      return age(model)
    case "mine":
      return mineSome(model, command.blocks)
    case "reorg":
      return reorganise(model, command.depth)
    case "rollback":
      return rollBack(model, command.depth)
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
