/** Following a plan, or one of its steps, until it is decided. */
import type { Client } from "../client/Client.ts"
import { isDecided, isDone, isUndecided } from "../client/StepStanding.ts"
import { isSettled, type StepChange } from "../client/WatchPlan.ts"
import type { Plan } from "../plans/Plan.ts"
import type { CommandOutcome, CommandTerminal, Flag } from "./Command.ts"
import { CliFailure, ExitCode } from "./Failure.ts"
import type { Input } from "./Input.ts"
import { afterOthers } from "./NotSigned.ts"
import { stepText } from "./PlanText.ts"
import { indented } from "./Table.ts"

const TIMEOUT_SECONDS = 300
const LONGEST_TIMEOUT_SECONDS = 86_400

export const timeoutFlag: Flag = {
  name: "timeout",
  value: "<seconds>",
  help: `Stop watching after this time; ${TIMEOUT_SECONDS} by default, at most ${LONGEST_TIMEOUT_SECONDS}.`
}

/** Looked at before anything is sent: a wrong flag must not part a command from what it sent. */
export const timeoutOf = (input: Input): number =>
  input.integer("timeout", 0, LONGEST_TIMEOUT_SECONDS) ?? TIMEOUT_SECONDS

/** Something was submitted, all of it is decided, and what is left waits for a signature. */
const awaitsSubmission = (plan: Plan): boolean =>
  plan.steps.some(({ transaction }) => transaction !== undefined) &&
  !plan.steps.some(step => isUndecided(plan, step))

/** Until one step is decided where one is named, else until the whole plan is or waits for another signature. */
const untilDecided =
  ({ clock }: Client, step: number | undefined) =>
  (plan: Plan) =>
    step === undefined
      ? isSettled(plan, clock.seconds() * 1000) || awaitsSubmission(plan)
      : plan.steps.some(each => each.index === step && isDecided(plan, each))

const nextOf = (plan: Plan): ReadonlyArray<string> =>
  plan.steps
    .filter(({ state }) => state === "ready" && plan.status === "partial")
    .slice(0, 1)
    .map(({ index }) => `Next: service plan submit ${plan.id} ${index}`)

export const timedOut = (id: string, seconds: number) =>
  new CliFailure(
    ExitCode.unconfirmed,
    `Not decided after ${seconds} seconds.`,
    `It goes on without this command: service plan watch ${id}, or a longer --timeout.`
  )

const isConfirmed = ({ status }: Plan): boolean => status === "transactions_confirmed"

/** How a plan stands, as a command's outcome: done where `confirmed`. */
export const standing = (plan: Plan, confirmed = isConfirmed(plan)): CommandOutcome => ({
  json: plan,
  text: [
    `plan ${plan.id}: ${plan.status}`,
    ...plan.steps.map(each => `step ${each.index}  ${indented(stepText(each)).trimStart()}`),
    ...nextOf(plan)
  ].join("\n"),
  exitCode: confirmed ? ExitCode.ok : ExitCode.unconfirmed
})

export const noteChange = (terminal: CommandTerminal, { step }: StepChange): void =>
  terminal.note(`step ${step.index}  ${indented(stepText(step)).trimStart()}`)

/** A plan that the command sent something of is given as it was then. */
export const watched = async (
  client: Client,
  terminal: CommandTerminal,
  plan: Plan | string,
  { step, seconds }: { readonly step?: number | undefined; readonly seconds: number }
): Promise<CommandOutcome> => {
  const signal = AbortSignal.timeout(seconds * 1000)
  const id = typeof plan === "string" ? plan : plan.id
  const now = await client.plans
    .watch(id, {
      signal,
      until: untilDecided(client, step),
      onProgress: change => noteChange(terminal, change)
    })
    .catch((failure: unknown) => {
      if (signal.aborted) throw timedOut(id, seconds)
      throw typeof plan === "string" ? failure : afterOthers(plan, failure)
    })
  return step === undefined ? standing(now) : standing(now, isDone(now, step))
}
