import type { IntentItem } from "../../intents/Intent.ts"
import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { intentsText } from "../IntentText.ts"

const DEFAULT_MOST = 20

export const intentList: Command = {
  name: "intent list",
  summary: "List signed intents that nobody has deployed, newest first.",
  flags: [
    ...signedFlags,
    { name: "search", value: "<words>", help: "In names, taglines, descriptions and tags." },
    { name: "owner", value: "<address>", help: "Only for this future owner." },
    { name: "publisher", value: "<address>", help: "Only by this publisher." },
    { name: "most", value: "<number>", help: "How many at most; 20 by default." }
  ],
  run: async (input, terminal) => {
    const most = input.integer("most", 1) ?? DEFAULT_MOST
    const q = input.value("search")
    const owner = input.address("owner")
    const publisher = input.address("publisher")
    const { client } = await connect(input, terminal)
    const query = {
      ...(q !== undefined && { q }),
      ...(owner !== undefined && { owner }),
      ...(publisher !== undefined && { publisher }),
      limit: Math.min(Math.max(most, 1), 100)
    }
    const items: Array<IntentItem> = []
    for await (const item of client.intents.iterate(query)) {
      if (items.length >= most) break
      items.push(item)
    }
    return { json: { items }, text: intentsText(items) }
  }
}
