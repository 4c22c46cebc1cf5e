/** The console in this tab: a wallet is found and connected once, then each page is shown in its turn. */
import type { Capabilities } from "../../http/api/Capabilities.ts"
import { type PagePlace, placeOf } from "../../review/PagePath.ts"
import { showConnect } from "../Connect.ts"
import type { Desk } from "../Desk.ts"
import { el } from "../Elements.ts"
import { tell } from "../Failures.ts"
import { rememberOthers } from "../SentRecord.ts"
import { Stage } from "../Stage.ts"
import { type FoundWallet, type Provider, watchWallets } from "../Wallet.ts"
import { Navigation, type Titled } from "./Navigation.ts"
import { showPlanPage } from "./PlanPage.ts"
import { pages } from "./pages.ts"
import type { PageRoute, Seat } from "./Seat.ts"
import { SeatBar } from "./SeatBar.ts"

/** What is to be done when the page is left. */
type Leave = () => void

interface Page extends Titled {
  readonly show: (stage: Stage, seat: Seat) => Leave
}

const showComponent = ({ load }: PageRoute, stage: Stage, seat: Seat): Leave => {
  const into = el("div", {})
  let isLeft = false
  let leave = () => {}
  stage.show(into)
  Promise.all([load(), import("./Mount.ts")])
    .then(([component, { mount }]) => {
      const query = new URLSearchParams(location.search)
      if (!isLeft) leave = mount(into, component, { seat, path: location.pathname, query })
    })
    .catch((failure: unknown) => stage.warn(tell(failure)))
  return () => {
    isLeft = true
    leave()
  }
}

const PLAN: Page = {
  path: /^\/console\/plans\/[0-9a-f-]{36}$/,
  title: "Plan review",
  show: showPlanPage
}

const PAGES: ReadonlyArray<Page> = [
  PLAN,
  ...pages.map(route => ({
    ...route,
    show: (stage: Stage, seat: Seat) => showComponent(route, stage, seat)
  }))
]

const names = (accounts: unknown, wallet: string): boolean =>
  Array.isArray(accounts) && accounts.some(account => String(account).toLowerCase() === wallet.toLowerCase())

/** Nothing of one account outlives it: no open question, no key, no signed bytes, no request under way. */
const leaveWith = (provider: Provider, wallet: string): void => {
  provider.on?.("accountsChanged", accounts => {
    if (!names(accounts, wallet)) location.reload()
  })
}

class OpenedConsole {
  readonly #root: HTMLElement
  readonly #place: PagePlace = placeOf(location)
  readonly #navigation: Navigation<Page>
  #page: Page | undefined
  #stage: Stage
  #seat: Omit<Seat, "run"> | undefined
  #provider: Provider | undefined
  #leave: Leave = () => {}

  constructor(root: HTMLElement) {
    this.#root = root
    this.#stage = new Stage(root, undefined)
    this.#navigation = new Navigation(PAGES, page => this.#turnTo(page))
    addEventListener("hashchange", () => this.#checkAccount())
    addEventListener("storage", rememberOthers)
    this.#navigation.turn()
    this.#offer()
  }

  /** The account that the address names is the one at the page. */
  #checkAccount(): void {
    const { accountId } = placeOf(location)
    const present = this.#seat?.desk.owner.account ?? this.#place.accountId
    if (accountId !== undefined && accountId !== present) location.reload()
    if (accountId === undefined && present !== undefined) this.#navigation.nameAccount(present)
  }

  #turnTo(page: Page): void {
    this.#page = page
    const seat = this.#seat
    if (seat === undefined) return
    this.#leave()
    for (const open of document.querySelectorAll("dialog")) open.close("no")
    const stage = new Stage(this.#root, this.#provider)
    this.#stage = stage
    this.#leave = page.show(stage, {
      ...seat,
      go: path => {
        if (this.#stage === stage) seat.go(path)
      },
      run: (doing, work) => stage.run(doing, work)
    })
  }

  /** Wallets that announce themselves late are offered too, as long as none was turned to. */
  #offer(): void {
    let shown: ReadonlyArray<FoundWallet>
    const show = (wallets: ReadonlyArray<FoundWallet>) => {
      shown = wallets
      const [only] = wallets
      const begin = (provider: Provider) => {
        stop()
        this.#connect(provider, () => {})
      }
      if (only !== undefined && wallets.length === 1) this.#connect(only.provider, () => stop())
      else
        import("../ConnectElse.ts").then(({ chooseWallet, noWallet }) => {
          if (shown === wallets)
            new Stage(this.#root, undefined).show(
              only === undefined ? noWallet() : chooseWallet(wallets, begin)
            )
        })
    }
    const stop = watchWallets(show)
  }

  /** `begun` is called once the person turns to this wallet. */
  #connect(provider: Provider, begun: () => void): void {
    const stage = new Stage(this.#root, provider)
    this.#stage = stage
    const connected = (desk: Desk, capabilities: Capabilities) => {
      leaveWith(provider, desk.wallet)
      this.#provider = provider
      this.#seat = { desk, capabilities, go: path => this.#navigation.go(path) }
      this.#navigation.nameAccount(desk.owner.account)
      this.#root.before(new SeatBar(desk, (doing, work) => this.#stage.next(doing, work)).view)
      if (this.#page !== undefined) this.#turnTo(this.#page)
    }
    showConnect(stage, { provider, place: this.#place, connected }, begun)
  }
}

export const openConsole = (root: HTMLElement): OpenedConsole => new OpenedConsole(root)
