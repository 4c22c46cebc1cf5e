/** All that is shown of wallets of several owners, loaded together with the first of it. */
import { OperationReview } from "../operations/OperationReview.tsx"
import { planOperations } from "../operations/PlanOperations.ts"
import { openSigning } from "../owners/OpenSigning.tsx"
import { BindWallet } from "./BindWallet.tsx"
import { CreateWallet } from "./CreateWallet.tsx"
import { WalletPage } from "./WalletPage.tsx"
import { WalletsPage } from "./WalletsPage.tsx"

export const walletViews = {
  wallets: WalletsPage,
  create: CreateWallet,
  bind: BindWallet,
  wallet: WalletPage,
  operation: OperationReview,
  planOperations,
  openSigning
}
