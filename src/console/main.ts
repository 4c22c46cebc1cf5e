/** The page that reviews a plan and signs it with the browser's wallet. */
import { type PagePlace, placeOf } from "../review/PagePath.ts"
import { noWallet, showConnect } from "./Connect.ts"
import { PlanDesk } from "./PlanDesk.ts"
import { Stage } from "./Stage.ts"
import { injectedProvider, type Provider } from "./Wallet.ts"

const names = (accounts: unknown, wallet: string): boolean =>
  Array.isArray(accounts) && accounts.some(account => String(account).toLowerCase() === wallet.toLowerCase())

const start = (stage: Stage, provider: Provider, place: PagePlace, planId: string): void => {
  let seated: string | undefined
  const begin = () => {
    seated = undefined
    showConnect(stage, provider, place, (desk, capabilities) => {
      seated = desk.wallet
      return new PlanDesk(stage, desk, capabilities, planId, place).load(false)
    })
  }
  provider.on?.("accountsChanged", accounts => {
    if (seated !== undefined && !names(accounts, seated)) begin()
  })
  begin()
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
