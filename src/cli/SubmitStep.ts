/** A step's signed bytes given to the service once, whatever happens in between. */
import { ServiceProblem } from "../client/Errors.ts"
import type { StepSubmission } from "../client/Plans.ts"
import type { Plan } from "../plans/Plan.ts"
import type { Outcome, Terminal } from "./Command.ts"
import { CliFailure, ExitCode } from "./Failure.ts"
import { type Pending, type PendingRecord, pendingWork } from "./Pending.ts"
import { stepText } from "./PlanText.ts"
import { approved, foretelling, type Signing, signed } from "./Signing.ts"

interface Work extends Signing {
  readonly pending: Pending
}

/** The very bytes of an unfinished run, or new ones; on disk before they leave. */
const begun = async (work: Work, terminal: Terminal): Promise<PendingRecord> => {
  const before = await work.pending.recall()
  if (before !== undefined) {
    terminal.note("An earlier run of this command did not finish; sending the same bytes again.")
    return before
  }
  const raw = work.input.value("raw") ?? (await signed(work))
  const record = {
    idempotencyKey: crypto.randomUUID(),
    submission: JSON.stringify(await approved(work, raw))
  }
  await work.pending.keep(record)
  return record
}

const isStale = (failure: unknown): boolean =>
  failure instanceof ServiceProblem && failure.code === "OWNER_APPROVAL_EXPIRED"

/** An approval outlives no long pause; the bytes it is for stay the same. */
const renewed = async (work: Work, { submission = "{}" }: PendingRecord): Promise<PendingRecord> => {
  const { rawSignedTransaction }: StepSubmission = JSON.parse(submission)
  const again = await approved(work, rawSignedTransaction)
  const record = { idempotencyKey: crypto.randomUUID(), submission: JSON.stringify(again) }
  await work.pending.keep(record)
  return record
}

const sent = ({ client, plan, step }: Work, { idempotencyKey, submission = "{}" }: PendingRecord) =>
  client.plans.submit(plan.id, step.index, JSON.parse(submission), { idempotencyKey })

const leavesNothing = (failure: unknown): boolean =>
  failure instanceof ServiceProblem && failure.problem.status < 500 && failure.cause === undefined

/** Under its old key a bound step's submission would only be answered again; a new key has the bytes sent again. */
const toSend = async (work: Work, terminal: Terminal): Promise<PendingRecord> => {
  const record = await begun(work, terminal)
  return work.step.transaction === undefined ? record : renewed(work, record)
}

const submitted = async (work: Work, terminal: Terminal) => {
  const record = await toSend(work, terminal)
  try {
    return await sent(work, record).catch(async failure => {
      if (!isStale(failure)) throw failure
      return sent(work, await renewed(work, record))
    })
  } catch (failure) {
    if (leavesNothing(failure) && work.step.transaction === undefined) await work.pending.forget()
    throw failure
  }
}

const UNSETTLED = ["reserved", "unknown"]
/** The service knows whether these are the step's own, and whether they are lost. */
const JUDGED = ["submitted", "reorged"]

/** A step that was admitted takes no other bytes. */
const isTaken = async ({ step, pending, input }: Work): Promise<boolean> => {
  if (step.transaction === undefined) return false
  if (JUDGED.includes(step.state) && input.value("raw") !== undefined) return false
  if (!UNSETTLED.includes(step.state)) return true
  if ((await pending.recall()) !== undefined || input.value("raw") !== undefined) return false
  throw new CliFailure(
    ExitCode.unknown,
    `Step ${step.index} is bound to ${step.transaction.hash} and its outcome is not known yet.`,
    "Only the same bytes can be sent again: give them with --raw, or look with service plan watch."
  )
}

/** The very bytes may have to be sent again. */
const OPEN = ["unknown", "in-flight"]

const report = (plan: Plan, index: number, extra: Readonly<Record<string, unknown>>): Outcome => {
  const step = plan.steps[index]
  const unknown = step?.dispatch?.status === "unknown"
  return {
    json: { ...extra, plan },
    text: `step ${index}  ${step === undefined ? "" : stepText(step)}${step?.state === "confirmed" ? "" : `\nNext: service plan watch ${plan.id}`}`,
    exitCode: unknown ? ExitCode.unknown : ExitCode.ok
  }
}

/** What an unfinished run began is on disk, so that the same step goes on with the same bytes. */
export const submitStep = async (
  signing: Omit<Signing, "foretell">,
  terminal: Terminal
): Promise<Outcome> => {
  const { baseUrl, client, plan, step } = signing
  const pending = pendingWork(terminal, [baseUrl, client.principalId, plan.id, String(step.index)])
  const work: Work = { ...signing, pending, foretell: foretelling(terminal) }
  if (await isTaken(work)) {
    await pending.forget()
    terminal.note("The step has its transaction already; nothing was sent.")
    return report(plan, step.index, {})
  }
  const answer = await submitted(work, terminal)
  if (!OPEN.includes(answer.dispatch.status)) await pending.forget()
  return report(answer.plan, step.index, { dispatch: answer.dispatch, replayed: answer.replayed })
}
