import type { Plan } from "../../plans/Plan.ts"
import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { foreign } from "../ForeignText.ts"
import { isoMillis, textTable } from "../Table.ts"

const DEFAULT_MOST = 20

export const planList: Command = {
  name: "plan list",
  summary: "List the plans that this key may see, newest first.",
  flags: [...signedFlags, { name: "most", value: "<number>", help: "How many at most; 20 by default." }],
  run: async (input, terminal) => {
    const most = input.integer("most", 1) ?? DEFAULT_MOST
    const { client } = await connect(input, terminal)
    const items: Array<Plan> = []
    for await (const plan of client.plans.iterate({ limit: Math.min(most, 100) })) {
      if (items.length >= most) break
      items.push(plan)
    }
    const rows = items.map(plan => [
      plan.id,
      plan.status,
      isoMillis(plan.createdAt),
      plan.calls.map(({ label }) => foreign(label)).join("; ")
    ])
    return {
      json: { items },
      text: items.length === 0 ? "No plans." : textTable(["PLAN", "STATUS", "PREPARED", "CALLS"], rows)
    }
  }
}
