/** A step's signed bytes given to the service once, whatever happens in between. */
import type { Plan, Step } from "../plans/Plan.ts"
import { type Keyed, newIdempotencyKey } from "./Caller.ts"
import { isRefusedBy, StepHeld } from "./Errors.ts"
import type { StepSubmission, SubmittedStep } from "./Plans.ts"
import { isSureRefusal } from "./Retry.ts"
import { isOnChain, mustGoAgain } from "./StepStanding.ts"
import type { Kept, StepRecord } from "./Store.ts"
import type { System } from "./System.ts"

export interface StepWork {
  readonly plan: Plan
  readonly step: Step
  readonly kept: Kept<StepRecord>
  readonly system: System
  /** Bytes that were signed elsewhere. */
  readonly given?: string | undefined
  /** Has them signed, or sent by the wallet itself, going on from what is kept. */
  readonly bytes: (before: StepRecord) => Promise<string>
  /** With the owner's consent, where one is needed. */
  readonly approved: (raw: string) => Promise<StepSubmission>
  readonly submit: (
    id: string,
    step: number,
    submission: StepSubmission,
    keyed: Keyed
  ) => Promise<SubmittedStep>
  /** The bytes are those of an earlier run. */
  readonly again?: () => void
  /** Nothing of the step can be sent any more, or has to be. */
  readonly release?: () => Promise<void>
  readonly signal?: AbortSignal | undefined
}

/** What is kept of a wallet's own sending stays. */
const recordOf = async ({ approved, system, kept }: StepWork, raw: string): Promise<StepRecord> => {
  const submission = JSON.stringify(await approved(raw))
  const record = { ...(await kept.recall()), idempotencyKey: newIdempotencyKey(system), submission }
  await kept.keep(record)
  return record
}

/** The very bytes of an unfinished run, or new ones; kept before they leave. */
const begun = async (work: StepWork): Promise<StepRecord> => {
  const before = await work.kept.recall()
  if (before?.submission === undefined) return recordOf(work, work.given ?? (await work.bytes(before ?? {})))
  work.again?.()
  return before
}

const submissionIn = ({ submission = "{}" }: StepRecord): StepSubmission => JSON.parse(submission)

/** An approval outlives no long pause; the bytes it is for stay the same. */
const renewed = (work: StepWork, record: StepRecord): Promise<StepRecord> =>
  recordOf(work, submissionIn(record).rawSignedTransaction)

const sent = ({ submit, plan, step, signal }: StepWork, record: StepRecord): Promise<SubmittedStep> => {
  const { idempotencyKey } = record
  return submit(plan.id, step.index, submissionIn(record), { idempotencyKey, signal })
}

/** Under its old key a bound step's submission would only be answered again; a new key has the bytes sent again. */
const toSend = async (work: StepWork): Promise<StepRecord> => {
  const record = await begun(work)
  return work.step.transaction === undefined ? record : renewed(work, record)
}

/** Nothing was bound, no earlier run's request may still be worked on, and the wallet did not send the bytes by itself. */
const leavesNothing = (failure: unknown, { step }: StepWork, { asked }: StepRecord): boolean =>
  isSureRefusal(failure) && step.transaction === undefined && asked === undefined

/** A step that was admitted takes no other bytes. */
const isTaken = async ({ plan, step, kept, given }: StepWork): Promise<boolean> => {
  const { index, transaction } = step
  if (transaction === undefined) return false
  if (isOnChain(step)) return true
  if (given !== undefined) return false
  if (!mustGoAgain(step)) return true
  if ((await kept.recall())?.submission !== undefined) return false
  const held = `Step ${index} is bound to ${transaction.hash} and its outcome is not known yet.`
  throw new StepHeld("bytes", held, plan.id, index)
}

export const heldByRestoration = (plan: Plan, { index }: Step): StepHeld =>
  new StepHeld(
    "restored",
    `Step ${index} of the plan ${plan.id}: it may have left before the service was restored.`,
    plan.id,
    index
  )

export const forgotten = async ({ kept, release }: Pick<StepWork, "kept" | "release">): Promise<void> => {
  await kept.forget()
  await release?.()
}

/** Undefined where the step has its transaction already, and nothing was sent. */
export const submitOnce = async (work: StepWork): Promise<SubmittedStep | undefined> => {
  const { plan, step, signal } = work
  signal?.throwIfAborted()
  if (await isTaken(work)) return undefined
  const isAgain = (await work.kept.recall())?.submission !== undefined
  const record = await toSend(work)
  try {
    return await sent(work, record).catch(async failure => {
      if (!isRefusedBy(failure, "OWNER_APPROVAL_EXPIRED")) throw failure
      return sent(work, await renewed(work, record))
    })
  } catch (failure) {
    if (!isAgain && leavesNothing(failure, work, record)) await forgotten(work)
    if (!isRefusedBy(failure, "PLAN_EXPIRED")) throw failure
    if (record.asked) {
      const held = `Step ${step.index} of the plan ${plan.id}: the wallet sent it; call again once the service's node knows it.`
      throw new StepHeld("asked", held, plan.id, step.index)
    }
    throw plan.restoredAt ? heldByRestoration(plan, step) : failure
  }
}
