import { agreedOnTerminal } from "../Agree.ts"
import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { ExitCode } from "../Failure.ts"
import { bindingNamed } from "../WalletBindings.ts"

export const walletUnlink: Command = {
  name: "wallet unlink",
  takes: "<address or binding id>",
  summary: "Unlink a wallet: the service prepares and sends nothing more for it; its owners keep it.",
  flags: [...signedFlags, { name: "yes", help: "Agree beforehand: nobody is asked." }],
  run: async (input, terminal) => {
    const connection = await connect(input, terminal)
    const { id, wallet } = await bindingNamed(connection, input.needed(0))
    if (!(await agreedOnTerminal(input, terminal, `Unlink the wallet ${wallet.address}?`, "unlinking")))
      return { json: {}, text: "Nothing was unlinked.", exitCode: ExitCode.usage }
    const unlinked = await connection.client.smartAccounts.unlink(id)
    return { json: unlinked, text: `The wallet ${wallet.address} is unlinked; what was sent stays so.` }
  }
}
