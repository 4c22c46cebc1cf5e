/** The pages of wallets of several owners, and of what they do. */
import type { PageRoute } from "../app/Seat.ts"

const page = (
  path: RegExp,
  title: string,
  view: "wallets" | "create" | "bind" | "wallet" | "operation"
): PageRoute => ({ path, title, load: async () => (await import("./WalletViews.ts")).walletViews[view] })

export const walletPages: ReadonlyArray<PageRoute> = [
  page(/^\/console\/wallets$/, "Wallets", "wallets"),
  page(/^\/console\/wallets\/create$/, "Create a wallet", "create"),
  page(/^\/console\/wallets\/bind$/, "Bind a wallet", "bind"),
  page(/^\/console\/wallets\/0x[0-9a-f]{64}$/, "Wallet", "wallet"),
  page(/^\/console\/operations\/[0-9a-f-]{36}$/, "Operation", "operation")
]
