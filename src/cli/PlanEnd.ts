/** The end of a plan's time: what of it may still be admitted, and what the same command does then. */
import { ADMITTED_SECONDS, hasExpired } from "../client/CarryOut.ts"
import { isRefusedBy } from "../client/Errors.ts"
import { isUndecided, staysUnknown } from "../client/StepStanding.ts"
import { keptStep } from "../client/Store.ts"
import type { Plan, Step } from "../plans/Plan.ts"
import type { CommandTerminal } from "./Command.ts"
import type { Connection } from "./Connection.ts"
import { CliFailure, ExitCode } from "./Failure.ts"
import { meansOf } from "./Signing.ts"
import { isoMillis } from "./Table.ts"

/** Nothing more of it can be signed, and nothing that was sent is undecided or may have done what it was to do. */
export const isSpent = ({ client }: Connection, plan: Plan): boolean =>
  hasExpired(client, plan) &&
  plan.status !== "transactions_confirmed" &&
  plan.status !== "blocked" &&
  !plan.steps.some(step => isUndecided(plan, step) || staysUnknown(step))

export const LOOK_FIRST =
  "Look at what the wallet sent since. If it did not do this, the same command with --anew does it."

export const restoredSince = ({ id }: Plan) =>
  new CliFailure(
    ExitCode.unknown,
    `The service was restored from a backup after the plan ${id} was made, and does not know whether what was signed for it left.`,
    LOOK_FIRST
  )

export const expiredBefore = (plan: Plan, step: Step) =>
  plan.restoredAt === undefined
    ? new CliFailure(
        ExitCode.unconfirmed,
        `The plan expired before step ${step.index} was sent.`,
        "Run the same command again: it prepares another plan for what is left."
      )
    : restoredSince(plan)

const justEnded = ({ id, expiresAt }: Plan, { index }: Step) =>
  new CliFailure(
    ExitCode.unknown,
    `The plan ${id} has just ended, and what was signed for step ${index} may still be admitted.`,
    `Run the same command again after ${isoMillis(expiresAt + ADMITTED_SECONDS * 1000)}: it goes on with what was admitted, and prepares another plan for what is left.`
  )

/** What was signed of it and is not known to have been admitted, and may be. */
const mayBeAdmitted = async (
  connection: Connection,
  plan: Plan,
  terminal: CommandTerminal
): Promise<Step | undefined> => {
  if (hasExpired(connection.client, plan, ADMITTED_SECONDS)) return undefined
  const { store } = meansOf(connection, terminal)
  for (const step of plan.steps) {
    const kept = step.transaction === undefined && (await keptStep(store, plan.id, step.index).recall())
    if (kept && kept.submission !== undefined) return step
  }
  return undefined
}

/** Of a plan that is spent: refuses to have another one in its place too early. */
export const requireOver = async (...of: Parameters<typeof mayBeAdmitted>): Promise<void> => {
  const step = await mayBeAdmitted(...of)
  if (step !== undefined) throw justEnded(of[1], step)
}

/** Of a plan that ended while it was carried out. */
export const endedMeanwhile = async (
  failure: unknown,
  ...of: Parameters<typeof mayBeAdmitted>
): Promise<unknown> => {
  const step = isRefusedBy(failure, "PLAN_EXPIRED") ? await mayBeAdmitted(...of) : undefined
  return step === undefined ? failure : justEnded(of[1], step)
}
