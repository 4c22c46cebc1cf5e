import { shownAccount } from "../AccountText.ts"
import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"

export const accountShow: Command = {
  name: "account show",
  summary: "Show the account.",
  flags: signedFlags,
  run: async (input, terminal) => shownAccount(await (await connect(input, terminal)).client.accounts.show())
}
