/** What a command says where a step was not signed: nothing was sent, or what left before it stands. */
import type { Plan } from "../plans/Plan.ts"
import type { CommandOutcome } from "./Command.ts"
import { explain } from "./Explain.ts"
import { CliFailure, ExitCode } from "./Failure.ts"
import { stepText } from "./PlanText.ts"
import { indented } from "./Table.ts"

/** Undefined where nothing of the plan ever left. */
const leftText = ({ steps }: Plan): string | undefined => {
  const left = steps.filter(({ transaction, execution }) => (transaction ?? execution) !== undefined)
  return left.length === 0
    ? undefined
    : [
        "What left before stands:",
        ...left.map(each => `step ${each.index}  ${indented(stepText(each)).trimStart()}`)
      ].join("\n")
}

/** Where nobody agreed to these steps. */
export const notSigned = (plan: Plan, steps: ReadonlyArray<number>, json: unknown): CommandOutcome => {
  const left = leftText(plan)
  if (left === undefined)
    return { json, text: `Nothing of the plan ${plan.id} was signed.`, exitCode: ExitCode.usage }
  const which =
    steps.length === 1
      ? `Step ${steps[0]} of the plan ${plan.id} was`
      : `The steps ${steps.join(", ")} of the plan ${plan.id} were`
  return {
    json,
    text: `${which} not signed. The same command goes on. ${left}`,
    exitCode: ExitCode.unconfirmed
  }
}

/** Of which a script takes that nothing was sent. */
const SAYS_NOTHING_LEFT: ReadonlyArray<ExitCode> = [ExitCode.usage, ExitCode.refused, ExitCode.network]

/** Of a command that sent something before: that it cannot go on takes nothing back. */
export const afterSending = (failure: unknown, left: string, more: string): unknown => {
  const { exitCode, message, advice } = explain(failure)
  return SAYS_NOTHING_LEFT.includes(exitCode)
    ? new CliFailure(
        ExitCode.unconfirmed,
        `${message}\n${left}`,
        `${advice} "${more}" tells more, and the same command goes on.`
      )
    : failure
}

/** The same of a plan, where something of it was sent. */
export const afterOthers = (plan: Plan, failure: unknown, handedIn?: number): unknown => {
  const given =
    handedIn === undefined ? undefined : `Step ${handedIn} of the plan ${plan.id} was handed in before.`
  const left = leftText(plan) ?? given
  return left === undefined ? failure : afterSending(failure, left, `service plan show ${plan.id}`)
}
