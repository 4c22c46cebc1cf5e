import type { Command } from "../Command.ts"
import { connect, signedFlags } from "../Connection.ts"
import { isoMillis, textTable } from "../Table.ts"
import { allBindings } from "../WalletBindings.ts"

export const walletList: Command = {
  name: "wallet list",
  summary: "List the wallets that are bound to the account, as they are stored.",
  flags: signedFlags,
  run: async (input, terminal) => {
    const items = await allBindings(await connect(input, terminal))
    const rows = items.map(({ id, wallet, manifestId, createdAt }) => [
      ...[wallet.address, String(wallet.chainId), manifestId, isoMillis(createdAt), id]
    ])
    return {
      json: { items },
      text:
        items.length === 0
          ? "No wallets."
          : textTable(["WALLET", "CHAIN", "MANIFEST", "BOUND", "BINDING"], rows)
    }
  }
}
