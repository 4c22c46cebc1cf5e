import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { bindingNamed, bindingText } from "../WalletBindings.ts"

export const walletShow: Command = {
  name: "wallet show",
  takes: "<address or binding id>",
  summary: "Show a wallet of the account's: its owners and whether it may act, as it is inspected now.",
  flags: signedFlags,
  run: async (input, terminal) => {
    const connection = await connect(input, terminal)
    const { id } = await bindingNamed(connection, input.needed(0))
    const binding = await connection.client.smartAccounts.show(id)
    return { json: binding, text: bindingText(binding) }
  }
}
