/** What several plan commands share: showing a plan with its commitment checked. */
import type { Plan } from "../plans/Plan.ts"
import type { Outcome } from "./Command.ts"
import type { Connection } from "./Connection.ts"
import { CliFailure, ExitCode } from "./Failure.ts"
import { callsInWords } from "./PlannedCalls.ts"
import { type Commitment, planText } from "./PlanText.ts"

/** An owner also sees plans of bots, whose commitments name their grants. */
const candidates = async ({ client, identity }: Connection): Promise<ReadonlyArray<string>> =>
  identity.grantId === undefined ? (await client.bots.list()).map(({ id }) => `bot:${id}`) : []

const committedFor = async (connection: Connection, plan: Plan): Promise<Commitment> => {
  const { client } = connection
  if (await client.plans.checkCommitment(plan)) return client.principalId
  for (const principal of await candidates(connection))
    if (await client.plans.checkCommitment(plan, principal)) return principal
  return undefined
}

export const shownPlan = async (connection: Connection, plan: Plan): Promise<Outcome> => {
  const committed = await committedFor(connection, plan)
  const calls = await callsInWords(connection.client.catalog, plan)
  return {
    json: plan,
    text: planText(plan, calls, committed),
    exitCode: committed === undefined ? ExitCode.failedCheck : ExitCode.ok
  }
}

export const refuseAltered = async (connection: Connection, plan: Plan): Promise<void> => {
  if ((await committedFor(connection, plan)) === undefined)
    throw new CliFailure(
      ExitCode.failedCheck,
      `The plan ${plan.id} is not what its commitment stands for.`,
      "Sign nothing of it; prepare a new plan and compare."
    )
}
