/** A step's signed bytes given to the service once, whatever happens in between. */
import { ServiceProblem } from "../client/Errors.ts"
import type { StepSubmission } from "../client/Plans.ts"
import type { Plan } from "../plans/Plan.ts"
import type { CommandOutcome, CommandTerminal } from "./Command.ts"
import { CliFailure, ExitCode } from "./Failure.ts"
import { type Pending, type PendingRecord, pendingWork } from "./Pending.ts"
import { stepText } from "./PlanText.ts"
import { approved, foretellingOn, type Signing, signedBytes } from "./Signing.ts"

interface Work extends Signing {
  readonly pending: Pending
}

/** The very bytes of an unfinished run, or new ones; on disk before they leave. */
const begun = async (work: Work, terminal: CommandTerminal): Promise<PendingRecord> => {
  const before = await work.pending.recall()
  if (before !== undefined) {
    terminal.note("An earlier run of this command did not finish; sending the same bytes again.")
    return before
  }
  const raw = work.input.value("raw") ?? (await signedBytes(work))
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
const toSend = async (work: Work, terminal: CommandTerminal): Promise<PendingRecord> => {
  const record = await begun(work, terminal)
  return work.step.transaction === undefined ? record : renewed(work, record)
}

const submitted = async (work: Work, terminal: CommandTerminal) => {
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

/** The very bytes may have to be sent again. */
export const AGAIN = ["reserved", "unknown", "reorged"]
/** From here on nothing of it is sent again. */
const SETTLED = ["confirmed", "reverted"]

/** A step that was admitted takes no other bytes. */
const isTaken = async ({ step, pending, input }: Work): Promise<boolean> => {
  if (step.transaction === undefined) return false
  if (SETTLED.includes(step.state)) return true
  if (input.value("raw") !== undefined) return false
  if (!AGAIN.includes(step.state)) return true
  if ((await pending.recall()) !== undefined) return false
  throw new CliFailure(
    ExitCode.unknown,
    `Step ${step.index} is bound to ${step.transaction.hash} and its outcome is not known yet.`,
    "Only the same bytes can be sent again: give them with --raw, or look with service plan watch."
  )
}

const report = (plan: Plan, index: number, extra: Readonly<Record<string, unknown>>): CommandOutcome => {
  const step = plan.steps[index]
  const unknown = step?.dispatch?.status === "unknown"
  return {
    json: { ...extra, plan },
    text: `step ${index}  ${step === undefined ? "" : stepText(step)}${step?.state === "confirmed" ? "" : `\nNext: service plan watch ${plan.id}`}`,
    exitCode: unknown ? ExitCode.unknown : ExitCode.ok
  }
}

export const submissionOutcome = (
  { plan, dispatch, replayed }: Awaited<ReturnType<typeof sent>>,
  index: number
): CommandOutcome => report(plan, index, { dispatch, replayed })

/** The bytes of a step are on disk until its chain has them for good, so that a run that ends early, a node that loses them and a reorganisation all find them. */
export const bytesOf = (
  terminal: CommandTerminal,
  { baseUrl, client }: Pick<Signing, "baseUrl" | "client">,
  planId: string,
  step: number
): Pending => pendingWork(terminal, [baseUrl, client.principalId, planId, String(step)])

export const signAndSubmit = async (
  signing: Omit<Signing, "foretell">,
  terminal: CommandTerminal,
  said?: string
): Promise<CommandOutcome> => {
  const { plan, step } = signing
  const pending = bytesOf(terminal, signing, plan.id, step.index)
  const work: Work = { ...signing, pending, foretell: foretellingOn(terminal, said) }
  if (await isTaken(work)) {
    if (SETTLED.includes(step.state)) await pending.forget()
    terminal.note("The step has its transaction already; nothing was sent.")
    return report(plan, step.index, {})
  }
  const answer = await submitted(work, terminal)
  if (SETTLED.includes(answer.plan.steps[step.index]?.state ?? "")) await pending.forget()
  return submissionOutcome(answer, step.index)
}
