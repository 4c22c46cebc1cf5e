import { describedBot } from "../BotText.ts"
import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"

export const botRevoke: Command = {
  name: "bot revoke",
  takes: "<grant id>",
  summary: "Revoke a bot's grant; it takes effect when the answer is given.",
  flags: signedFlags,
  run: async (input, terminal) => {
    const bot = await (await connect(input, terminal)).client.bots.revoke(input.needed(0))
    return { json: { bot }, text: describedBot(bot) }
  }
}
