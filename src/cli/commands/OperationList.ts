import type { PublicUserOperation } from "../../useroperations/PublicUserOperation.ts"
import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { isoMillis, textTable } from "../Table.ts"

const DEFAULT_MOST = 20

export const operationList: Command = {
  name: "operation list",
  summary: "List the operations of wallets that this key may see, newest first.",
  flags: [
    ...signedFlags,
    { name: "plan", value: "<plan id>", help: "Only those of this plan." },
    { name: "most", value: "<number>", help: "How many at most; 20 by default." }
  ],
  run: async (input, terminal) => {
    const most = input.integer("most", 1) ?? DEFAULT_MOST
    const planId = input.value("plan")
    const { client } = await connect(input, terminal)
    const items: Array<PublicUserOperation> = []
    for (let cursor: string | null | undefined; items.length < most && cursor !== null; ) {
      const query = { limit: Math.min(most - items.length, 100), ...(planId && { planId }) }
      const page = await client.userOperations.list(cursor === undefined ? query : { ...query, cursor })
      items.push(...page.items)
      cursor = page.nextCursor
    }
    const rows = items.map(each => [
      each.id,
      each.state,
      isoMillis(each.createdAt),
      each.planId,
      each.stepIndexes.join(", ")
    ])
    return {
      json: { items },
      text:
        items.length === 0
          ? "No operations."
          : textTable(["OPERATION", "STATE", "PREPARED", "PLAN", "STEPS"], rows)
    }
  }
}
