/** One step signed and given to the service once, and what became of it. */
import type { SubmittedStep } from "../client/Plans.ts"
import { keptStep, type Store } from "../client/Store.ts"
import { submitSigned } from "../client/SubmitSigned.ts"
import type { Plan, Step } from "../plans/Plan.ts"
import type { CommandOutcome, CommandTerminal } from "./Command.ts"
import { CliFailure, ExitCode } from "./Failure.ts"
import { stepText } from "./PlanText.ts"
import { meansOf, type Signing, submitOptions } from "./Signing.ts"

export const SENT_AGAIN = "An earlier run of this command did not finish; sending the same bytes again."

export const stepOutcome = (
  plan: Plan,
  index: number,
  extra: Readonly<Record<string, unknown>> = {}
): CommandOutcome => {
  const step = plan.steps[index]
  const unknown = step?.dispatch?.status === "unknown"
  return {
    json: { ...extra, plan },
    text: `step ${index}  ${step === undefined ? "" : stepText(step)}${step?.state === "confirmed" ? "" : `\nNext: service plan watch ${plan.id}`}`,
    exitCode: unknown ? ExitCode.unknown : ExitCode.ok
  }
}

export const submissionOutcome = (
  { plan, dispatch, replayed }: SubmittedStep,
  index: number
): CommandOutcome => stepOutcome(plan, index, { dispatch, replayed })

/** What was given is what is sent, or nothing is. */
const requireSame = async (given: string, store: Store, plan: Plan, { index }: Step): Promise<void> => {
  const { submission = "{}" } = (await keptStep(store, plan.id, index).recall()) ?? {}
  const { rawSignedTransaction: kept = given } = Object(JSON.parse(submission))
  if (String(kept).toLowerCase() === given.toLowerCase()) return
  throw new CliFailure(
    ExitCode.unknown,
    `An earlier run signed other bytes for step ${index}, which may have left: those given were not sent.`,
    "The same command without --raw gives those of the earlier run again, and nothing twice."
  )
}

export const signAndSubmit = async (
  signing: Signing,
  step: Step,
  terminal: CommandTerminal
): Promise<CommandOutcome> => {
  const { plan, input } = signing
  const given = input.value("raw")
  const means = meansOf(signing, terminal)
  if (given !== undefined) await requireSame(given, means.store, plan, step)
  const options = {
    ...submitOptions(signing, terminal),
    given,
    onProgress: ({ kind }: { readonly kind: string }) => {
      if (kind === "again") terminal.note(SENT_AGAIN)
    }
  }
  const answer = await submitSigned(means, options, plan, step)
  if (answer !== undefined) return submissionOutcome(answer, step.index)
  terminal.note("The step has its transaction already; nothing was sent.")
  return stepOutcome(plan, step.index)
}
