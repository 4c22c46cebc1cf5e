/** How a command's run ends: what of it is forgotten, so that the same command means another plan, and what is told of the rest. */
import { isReplaced, isUndecided, staysUnknown } from "../client/StepStanding.ts"
import type { Plan, Step } from "../plans/Plan.ts"
import type { CommandOutcome, CommandTerminal } from "./Command.ts"
import type { Connection } from "./Connection.ts"
import { explain } from "./Explain.ts"
import { ExitCode } from "./Failure.ts"
import { notSigned } from "./NotSigned.ts"
import type { Pending } from "./Pending.ts"
import { hasSigned } from "./PrepareOnce.ts"
import { standing } from "./Watch.ts"

/** The same command means another plan from then on. */
const isOver = (plan: Plan): boolean =>
  plan.status === "transactions_confirmed" ||
  (plan.status === "blocked" && !plan.steps.some(step => isUndecided(plan, step)))

export const wasHandedIn = ({ transaction, execution }: Step): boolean =>
  (transaction ?? execution) !== undefined

const ONLY_SHOWN = "This run signed nothing; an earlier one did, or was about to."

/** What was begun by an earlier run is not forgotten by one that only looks, or whose person declines. */
export const declined = async (
  { client }: Connection,
  { id }: Plan,
  pending: Pending
): Promise<CommandOutcome> => {
  const plan = await client.plans.show(id)
  if (hasSigned(await pending.recall())) {
    const stands = standing(plan, false)
    return { ...stands, text: `${ONLY_SHOWN}\n${stands.text}` }
  }
  const left = plan.steps.filter(step => !wasHandedIn(step))
  const outcome = notSigned(
    plan,
    left.map(({ index }) => index),
    plan
  )
  if (outcome.exitCode === ExitCode.usage) await pending.forget()
  return outcome
}

const UNKNOWN_FOR_GOOD = ["is final, and what it did is not known", "its transaction"] as const
const REPLACED = [
  "can be executed no more, for another has its nonce for good",
  "what the wallet sent with that nonce"
] as const

const settled = async (
  { client }: Connection,
  { id }: Plan,
  pending: Pending,
  terminal: CommandTerminal
): Promise<void> => {
  const plan = await client.plans.show(id)
  if (isOver(plan)) await pending.forget()
  for (const step of plan.steps.filter(staysUnknown)) {
    const [why, what] = isReplaced(step) ? REPLACED : UNKNOWN_FOR_GOOD
    terminal.note(
      `Step ${step.index} ${why}: it is not done again. Look at ${what}; if that did not do this, the same command with --anew does it.`
    )
  }
}

/** The same command means another plan only once all of this one is done. That this cannot be seen changes no outcome. */
export const settle = (...[work, plan, pending, terminal]: Parameters<typeof settled>): Promise<void> =>
  settled(work, plan, pending, terminal).catch((failure: unknown) =>
    terminal.note(
      `${explain(failure).message}\nWhat is kept of the plan ${plan.id} stays: the same command goes on with it, and does nothing twice.`
    )
  )
