/** One submission, and what its answer may say: what was done now, or what the chain shows. */
import { assert } from "vitest"
import type { Dispatch } from "../../../src/plans/Plan.ts"
import { callOf, stepOf } from "../../support/PlannedCalls.ts"
import { problemIn, type SeenProblem } from "../../support/Problem.ts"
import { hashOf, pendingNonce, signCall } from "../../support/SignedCalls.ts"
import { type Submission, shown, submit } from "../../support/Submissions.ts"
import type { Command } from "./Commands.ts"
import { type Bytes, isKnown, isSatisfied, type Model, type ModelStep } from "./State.ts"

const REFUSALS = [
  "STEP_ALREADY_BOUND",
  "NONCE_RESERVED",
  "NONCE_NOT_READY",
  "PLAN_EXPIRED",
  "DEPENDENCIES_UNCONFIRMED",
  "PLAN_EVIDENCE_REORGED",
  "STEP_STATE_UNCERTAIN"
]

type Which = Extract<Command, { readonly do: "submit" }>["bytes"]

export const bytesFor = async ({ bench, owner }: Model, step: ModelStep, which: Which): Promise<Bytes> => {
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

const leftSoOften = ({ bench, sentBefore }: Model, { raw }: Bytes): number =>
  bench.proxy
    .sent()
    .slice(sentBefore)
    .filter(sent => sent.raw.bytes === raw).length

const siblingsOf = ({ plans }: Model, step: ModelStep): ReadonlyArray<ModelStep> =>
  plans.find(steps => steps.includes(step)) ?? []

/** A submission looks at the chain too. */
const noteReceipts = async (model: Model, steps: ReadonlyArray<ModelStep>) => {
  const [first] = steps
  if (first === undefined) return
  const plan = await shown(model.bench.service, model.owner, first.plan)
  for (const step of steps) step.receipt = stepOf(plan, step.index).receipt
}

const checkRefusal = (
  { code, context }: SeenProblem,
  step: ModelStep,
  bytes: Bytes,
  holder: ModelStep | undefined
) => {
  assert.include(REFUSALS, code)
  const { bound } = step
  if (bound !== undefined && bound.raw !== bytes.raw) assert.strictEqual(code, "STEP_ALREADY_BOUND")
  if (code === "PLAN_EXPIRED") assert.isTrue(step.isAged && bound === undefined, "expired though admitted")
  if (code === "NONCE_RESERVED") assert.isDefined(holder, "reserved by nobody")
  if ((code === "NONCE_RESERVED" || code === "PLAN_EXPIRED") && holder?.bound !== undefined)
    assert.deepStrictEqual(context, {
      planId: holder.plan.id,
      stepIndex: holder.index,
      transactionHash: hashOf(holder.bound.raw)
    })
}

/** What an answer says was done, was: now, or it can be seen. */
const checkDispatch = async (
  model: Model,
  step: ModelStep,
  { status, retryAfterMs }: Dispatch,
  { bytes, isSent }: { readonly bytes: Bytes; readonly isSent: boolean }
) => {
  if (status === "in-flight") {
    assert.isTrue(step.isClaimed && !isSent, "in flight without a claim")
    assert.isAbove(retryAfterMs ?? 0, 0)
  } else if (status !== "unknown")
    assert.isTrue(isSent || (await isKnown(model, bytes)), `${status}, and nowhere`)
}

export const submitOne = async (model: Model, step: ModelStep, bytes: Bytes): Promise<void> => {
  const { bench, owner } = model
  const wasKnown = await isKnown(model, bytes)
  const siblings = siblingsOf(model, step)
  const needed = callOf(step.plan, step.index).dependsOn.flatMap(index => siblings[index] ?? [])
  const isFree = (await Promise.all(needed.map(other => isSatisfied(model, other)))).every(Boolean)
  const wasBound = step.bound
  const holder = holderOf(model, bytes.nonce)
  const request = { rawSignedTransaction: bytes.raw }
  const leftBefore = leftSoOften(model, bytes)
  const answer = await submit(bench.service, owner, step.plan, request, { step: step.index })
  const sent = leftSoOften(model, bytes) - leftBefore
  await noteReceipts(model, siblings)
  if (!answer.ok) {
    const problem = await problemIn(answer)
    count(model, problem.code)
    assert.strictEqual(sent, 0)
    return checkRefusal(problem, step, bytes, holder)
  }
  const { dispatch }: Submission = await answer.json()
  count(model, wasBound === undefined ? "admitted" : `again: ${dispatch.status}${sent > 0 ? ", sent" : ""}`)
  if (step.isAged && sent > 0) count(model, "sent past expiry")
  assert.isAtMost(sent, 1)
  assert.isTrue(wasBound !== undefined || !step.isAged || wasKnown, "admitted past its expiry")
  step.isClaimed ||= sent > 0 || wasBound === undefined
  await checkDispatch(model, step, dispatch, { bytes, isSent: sent > 0 })
  assert.isTrue(wasBound === undefined || wasBound.raw === bytes.raw, "bound to two transactions")
  assert.isTrue(holder === undefined || holder === step, "a nonce for two steps")
  assert.isTrue(isFree || wasKnown || wasBound !== undefined, "sent before what it rests on")
  step.bound = bytes
}
