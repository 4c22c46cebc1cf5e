/** The console: one application in one tab. */
import "./console.css"
import "./app/app.css"
import "./doing/doing.css"
import { openConsole } from "./app/OpenConsole.ts"

const root = document.getElementById("review")

/** Whoever signs for a wallet needs no account. */
const SIGNING = "/console/sign"

if (root !== null)
  if (location.pathname === SIGNING)
    import("./wallets/WalletViews.ts").then(({ walletViews }) => walletViews.openSigning(root))
  else openConsole(root)
