/** All that is shown of wallets of several owners, loaded together with the first of it. */
import { OperationReview } from "../operations/OperationReview.tsx"
import { planOperations } from "../operations/PlanOperations.ts"
import { openSigning } from "../owners/OpenSigning.tsx"
import { BindWallet } from "./BindWallet.tsx"
import { CreateWallet } from "./CreateWallet.tsx"
import { WalletPage } from "./WalletPage.tsx"
import { WalletsPage } from "./WalletsPage.tsx"

const page = (path: string) => {
  if (path.startsWith("/console/operations/")) return OperationReview
  if (path.endsWith("/wallets")) return WalletsPage
  if (path.endsWith("/create")) return CreateWallet
  return path.endsWith("/bind") ? BindWallet : WalletPage
}

export const walletViews = { page, planOperations, openSigning }
