/** The page that reviews a plan and signs it with the browser's wallet. */
import { type PagePlace, placeOf } from "../review/PagePath.ts"
import { noWallet, showConnect } from "./Connect.ts"
import { PlanDesk } from "./PlanDesk.ts"
import { Stage } from "./Stage.ts"
import { injectedProvider, type Provider } from "./Wallet.ts"

const names = (accounts: unknown, wallet: string): boolean =>
  Array.isArray(accounts) && accounts.some(account => String(account).toLowerCase() === wallet.toLowerCase())

/** Nothing of one account outlives it: no open question, no signed bytes, no request under way. */
const start = (stage: Stage, provider: Provider, place: PagePlace, planId: string): void => {
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

if (root !== null && place.planId !== undefined) {
  const provider = injectedProvider()
  const stage = new Stage(root, provider)
  if (provider === undefined) stage.show(noWallet())
  else start(stage, provider, place, place.planId)
}
