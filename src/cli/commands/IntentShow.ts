import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { intentText } from "../IntentText.ts"

export const intentShow: Command = {
  name: "intent show",
  takes: "<intent id>",
  summary: "Show a signed intent; its hash and signature are proved anew.",
  details: "An intent binds nobody. --json shows the whole record, its calls too.",
  flags: signedFlags,
  run: async (input, terminal) => {
    const { client } = await connect(input, terminal)
    const intent = await client.operations.run("get_intent", { id: input.needed(0) })
    return { json: intent, text: intentText(intent) }
  }
}
