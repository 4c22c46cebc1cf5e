import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { allSessions } from "../Sessions.ts"
import { isoSeconds, textTable } from "../Table.ts"
import { bindingNamed } from "../WalletBindings.ts"

export const sessionList: Command = {
  name: "session list",
  summary: "List the sessions that this key may see, newest first, as they are stored.",
  flags: [
    ...signedFlags,
    { name: "wallet", value: "<address>", help: "Only those of this wallet, or of its binding's id." }
  ],
  run: async (input, terminal) => {
    const connection = await connect(input, terminal)
    const wallet = input.value("wallet")
    const binding = wallet === undefined ? undefined : await bindingNamed(connection, wallet)
    const items = await allSessions(connection, binding?.id)
    const rows = items.map(({ id, state, wallet, sessionKey, validUntil }) => [
      ...[id, state, wallet, sessionKey, isoSeconds(validUntil)]
    ])
    return {
      json: { items },
      text:
        items.length === 0 ? "No sessions." : textTable(["SESSION", "STATE", "WALLET", "KEY", "UNTIL"], rows)
    }
  }
}
