/** The pages of wallets of several owners, and of what they do: which of them it is, is said where they are loaded. */
import type { PageRoute } from "../app/Seat.ts"

const load = async () => (await import("./WalletViews.ts")).walletViews.page(location.pathname)

export const walletPages: ReadonlyArray<PageRoute> = [
  { path: /^\/console\/operations\//, title: "Operation of a wallet", load },
  { path: /^\/console\/wallets\/create$/, title: "Create a wallet", load },
  { path: /^\/console\/wallets\/bind$/, title: "Bind a wallet", load },
  { path: /^\/console\/wallets\/./, title: "Wallet", load },
  { path: /^\/console\/wallets$/, title: "Wallets", load }
]
