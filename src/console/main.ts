/** The page that reviews a plan and signs it with the browser's wallet. */
import { type PagePlace, placeOf } from "../review/PagePath.ts"
import { chooseWallet, noWallet, showConnect } from "./Connect.ts"
import { PlanDesk } from "./PlanDesk.ts"
import { Stage } from "./Stage.ts"
import { type Provider, walletsHere } from "./Wallet.ts"

const names = (accounts: unknown, wallet: string): boolean =>
  Array.isArray(accounts) && accounts.some(account => String(account).toLowerCase() === wallet.toLowerCase())

/** Nothing of one account outlives it: no open question, no signed bytes, no request under way. */
const start = (root: HTMLElement, provider: Provider, place: PagePlace, planId: string): void => {
  const stage = new Stage(root, provider)
  let seated: string | undefined
  provider.on?.("accountsChanged", accounts => {
    if (seated !== undefined && !names(accounts, seated)) location.reload()
  })
  showConnect(stage, provider, place, (desk, capabilities) => {
    seated = desk.wallet
    return new PlanDesk(stage, desk, capabilities, planId, place).load(false)
  })
}

const root = document.getElementById("review")
const place = placeOf(location)

addEventListener("hashchange", () => location.reload())

const { planId } = place

if (root !== null && planId !== undefined) {
  const wallets = walletsHere()
  const [only] = wallets
  const begin = (provider: Provider) => start(root, provider, place, planId)
  if (only !== undefined && wallets.length === 1) begin(only.provider)
  else new Stage(root, undefined).show(only === undefined ? noWallet() : chooseWallet(wallets, begin))
}
