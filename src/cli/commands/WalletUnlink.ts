import type { ListedBinding } from "../../smartaccounts/WalletBinding.ts"
import { agreedOnTerminal } from "../Agree.ts"
import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { ExitCode } from "../Failure.ts"
import { bindingNamed } from "../WalletBindings.ts"

const goesOnText = ({ address, chainId }: ListedBinding["wallet"]): string =>
  `A session of it goes on onchain until it ends or its owners revoke it, which is said also where the chain does not answer: service session revoke --bare --wallet ${address} --rpc <a node of chain ${chainId}>`

export const walletUnlink: Command = {
  name: "wallet unlink",
  takes: "<address or binding id>",
  summary: "Unlink a wallet: the service prepares and sends nothing more for it; its owners keep it.",
  details:
    "A session of the wallet's goes on without the service until it ends or the owners revoke it; the command that does so is told where one may live.",
  flags: [...signedFlags, { name: "yes", help: "Agree beforehand: nobody is asked." }],
  run: async (input, terminal) => {
    const connection = await connect(input, terminal)
    const { id, wallet } = await bindingNamed(connection, input.needed(0))
    if (!(await agreedOnTerminal(input, terminal, `Unlink the wallet ${wallet.address}?`, "unlinking")))
      return { json: {}, text: "Nothing was unlinked.", exitCode: ExitCode.usage }
    const unlinked = await connection.client.smartAccounts.unlink(id)
    const told = `The wallet ${wallet.address} is unlinked; what was sent stays so.`
    return { json: unlinked, text: unlinked.liveSession ? `${told}\n${goesOnText(wallet)}` : told }
  }
}
