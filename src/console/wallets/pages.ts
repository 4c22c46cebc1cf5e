/** The pages of wallets of several owners, and of what they do: which of them it is, is said where they are loaded. */
import type { PageRoute } from "../app/Seat.ts"

export const walletPages: ReadonlyArray<PageRoute> = [
  {
    path: /^\/console\/(?:wallets|operations\/)/,
    title: "Wallets",
    load: async () => (await import("./WalletViews.ts")).walletViews.page(location.pathname)
  }
]
