import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { shownPlan } from "../Plans.ts"

export const planShow: Command = {
  name: "plan show",
  takes: "<plan id>",
  least: 1,
  most: 1,
  summary: "Show a plan: each call in words, its evidence, its state; the commitment is checked.",
  details:
    "The calls are read from their own bytes with the catalog's ABI, not from the plan's description of them.",
  flags: [...signedFlags, { name: "refresh", help: "Look at the chains first." }],
  run: async (input, terminal) => {
    const connection = await connect(input, terminal)
    const plan = await connection.client.plans.show(input.needed(0), { refresh: input.has("refresh") })
    return shownPlan(connection, plan)
  }
}
