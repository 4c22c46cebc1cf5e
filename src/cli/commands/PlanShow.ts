import { plannedTransaction } from "../../client/PlannedTransaction.ts"
import type { Plan } from "../../plans/Plan.ts"
import { transactionRows } from "../../review/SigningDigests.ts"
import type { Command, CommandOutcome } from "../Command.ts"
import { type Connection, connect, signedFlags } from "../Connection.ts"
import { ExitCode } from "../Failure.ts"
import type { Input } from "../Input.ts"
import { shownPlan } from "../Plans.ts"
import { rowsText } from "../PlanText.ts"
import { nodeOf, signingFlags, signingTerms } from "../SignTransaction.ts"
import { indented } from "../Table.ts"

const digestsText = async (input: Input, { client }: Connection, plan: Plan): Promise<string> => {
  const texts: Array<string> = []
  for (const { index } of plan.steps.filter(({ state }) => state === "ready")) {
    const call = plan.calls[index]
    if (call === undefined) continue
    const estimatedGas = async () => BigInt((await client.plans.simulate(plan.id, index)).estimatedGas)
    const transaction = await plannedTransaction(
      nodeOf(input),
      plan.account,
      call,
      signingTerms(input),
      estimatedGas
    )
    texts.push(`to sign for step ${index}, as of now\n${indented(rowsText(transactionRows(transaction)))}`)
  }
  return texts.join("\n\n")
}

const withDigests = async (input: Input, connection: Connection, plan: Plan, shown: CommandOutcome) =>
  shown.exitCode !== ExitCode.ok || !input.has("digest")
    ? shown
    : { ...shown, text: `${shown.text}\n\n${await digestsText(input, connection, plan)}`.trimEnd() }

export const planShow: Command = {
  name: "plan show",
  takes: "<plan id>",
  summary: "Show a plan in words, checked: commitment, addresses, calldata, evidence, state.",
  details:
    "The calls are read from their own bytes with the catalog's ABI, not from the plan's description of them; where the two differ, or the commitment does, the plan is shown as a danger and the exit code is 6. Text that others wrote is marked as untrusted. The last line is the page where the owner's browser wallet reviews and signs it.",
  flags: [
    ...signedFlags,
    { name: "refresh", help: "Look at the chains first." },
    {
      name: "digest",
      help: "Also print, for each ready step, the hash a hardware wallet shows; needs --rpc."
    },
    ...signingFlags
  ],
  run: async (input, terminal) => {
    const connection = await connect(input, terminal)
    const asked = input.needed(0)
    const plan = await connection.client.plans.show(asked, { refresh: input.has("refresh") })
    return withDigests(input, connection, plan, await shownPlan(connection, plan, asked))
  }
}
