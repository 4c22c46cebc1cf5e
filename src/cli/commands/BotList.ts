import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { isoSeconds, textTable } from "../Table.ts"

export const botList: Command = {
  name: "bot list",
  summary: "List the bots' grants, expired and revoked ones included.",
  flags: signedFlags,
  run: async (input, terminal) => {
    const bots = await (await connect(input, terminal)).client.bots.list()
    const rows = bots.map(bot => [
      bot.id,
      bot.botAddress,
      bot.scopes.join(","),
      bot.state,
      isoSeconds(bot.expiresAt),
      bot.label
    ])
    const heads = ["GRANT", "BOT", "SCOPES", "STATE", "EXPIRES", "LABEL"]
    return { json: { bots }, text: bots.length === 0 ? "No bots." : textTable(heads, rows) }
  }
}
