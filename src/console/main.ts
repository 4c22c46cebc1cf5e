/** The page that reviews a plan and signs it with the browser's wallet. */
import "./console.css"
import { type PagePlace, placeOf } from "../review/PagePath.ts"
import { chooseWallet, noWallet, showConnect } from "./Connect.ts"
import { PlanDesk } from "./PlanDesk.ts"
import { Stage } from "./Stage.ts"
import { type FoundWallet, type Provider, watchWallets } from "./Wallet.ts"

const names = (accounts: unknown, wallet: string): boolean =>
  Array.isArray(accounts) && accounts.some(account => String(account).toLowerCase() === wallet.toLowerCase())

/** Nothing of one account outlives it: no open question, no signed bytes, no request under way. */
const leaveWith = (provider: Provider, wallet: string): void => {
  provider.on?.("accountsChanged", accounts => {
    if (!names(accounts, wallet)) location.reload()
  })
}

interface Opening {
  readonly root: HTMLElement
  readonly place: PagePlace
  readonly planId: string
}

/** `begun` is called once the person turns to this wallet. */
const start = ({ root, place, planId }: Opening, provider: Provider, begun: () => void): void => {
  const stage = new Stage(root, provider)
  showConnect(stage, provider, place, begun, (desk, capabilities) => {
    leaveWith(provider, desk.wallet)
    return new PlanDesk(stage, desk, capabilities, planId, place).load(false)
  })
}

/** Wallets that announce themselves late are offered too, as long as none was turned to. */
const offer = (opening: Opening): void => {
  const show = (wallets: ReadonlyArray<FoundWallet>) => {
    const [only] = wallets
    const begin = (provider: Provider) => {
      stop()
      start(opening, provider, () => {})
    }
    if (only !== undefined && wallets.length === 1) start(opening, only.provider, () => stop())
    else
      new Stage(opening.root, undefined).show(only === undefined ? noWallet() : chooseWallet(wallets, begin))
  }
  const stop = watchWallets(show)
}

const root = document.getElementById("review")
const place = placeOf(location)

addEventListener("hashchange", () => location.reload())

const { planId } = place

if (root !== null && planId !== undefined) offer({ root, place, planId })
