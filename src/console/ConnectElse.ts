/** What connecting asks or says where the link does not name the account, the wallet has another one, or the service does not know it. */
import { realSystem } from "../client/System.ts"
import type { Capabilities } from "../http/api/Capabilities.ts"
import { exact, row, words } from "../review/Words.ts"
import type { Desk } from "./Desk.ts"
import { button, el, paragraph } from "./Elements.ts"
import { keptKeyOf } from "./KeptKeys.ts"
import type { Stage } from "./Stage.ts"
import type { FoundWallet, Provider } from "./Wallet.ts"

const CLOSED_TOO_EARLY =
  "This plan's page was closed after the wallet was asked to send, before the service followed it. Continue, and one signature of the wallet makes the key of that tab again, which has the service follow it."

const chainOptions = ({ chains }: Capabilities, connected: number): ReadonlyArray<HTMLOptionElement> => {
  const known = chains.some(({ id }) => id === connected)
  const all = known ? chains : [...chains, { id: connected, name: "the wallet's chain" }]
  return all.map(({ id, name }) =>
    el("option", { value: String(id), ...(id === connected && { selected: "" }) }, `${name} (${id})`)
  )
}

/** Without a hint the person says which chain names the account. */
export const chooseChain = (
  stage: Stage,
  capabilities: Capabilities,
  connected: number,
  chosen: (chainId: number) => void
): void => {
  const select = el("select", { id: "authority" }, chainOptions(capabilities, connected))
  stage.show(
    el("h2", {}, "Which chain is the account's?"),
    paragraph(
      "An account is named by its owner and one chain, its authority chain. The link that the command line prints says which."
    ),
    el("div", { class: "field" }, el("label", { for: "authority" }, "Authority chain"), select),
    button("Continue", () => chosen(Number(select.value)), "primary")
  )
}

export const wrongAccount = (stage: Stage, owner: string, accounts: ReadonlyArray<string>): void =>
  stage.warn({
    title: "The wallet's account is not the one that this page is about",
    advice: "Choose the owner's account in the wallet and allow it for this page, then connect again.",
    rows: [
      row("owner", exact(owner)),
      ...(accounts.length === 0
        ? [row("wallet", words("shows no account"))]
        : accounts.map(account => row("wallet", exact(account))))
    ]
  })

/** An account costs nothing and sends nothing, so an unknown one is offered to be made. */
export const offerEnrolment = (stage: Stage, desk: Desk, next: () => Promise<void>): void =>
  stage.show(
    el("h2", {}, "The service does not know this account yet"),
    paragraph("Account ", el("code", {}, desk.owner.account)),
    paragraph("Enrolling it takes one signature, costs nothing and sends nothing to a chain."),
    button(
      "Enroll the account",
      () =>
        stage.run("Waiting for the wallet…", async () => {
          await desk.owner.accounts.enroll()
          await next()
        }),
      "primary"
    )
  )

type Begin = (signsIn: (desk: Desk) => Promise<void>) => () => void

/** Where a tab was closed before the service followed what the wallet had sent. */
export const offerToContinue = (actions: HTMLElement, planId: string, begin: Begin): void => {
  const key = keptKeyOf(planId, realSystem.now() / 1000)
  if (key === undefined) return
  const proceed = async (desk: Desk) => {
    const { continueWith } = await import("./app/Continue.ts")
    await continueWith(desk, planId, key)
  }
  actions.before(paragraph(CLOSED_TOO_EARLY))
  for (const each of actions.children) each.className = "plain"
  actions.prepend(button("Continue", begin(proceed), "primary"))
}

export const noWallet = (): ReadonlyArray<HTMLElement> => [
  el("h2", {}, "There is no wallet in this browser"),
  paragraph(
    "This page signs with a wallet that offers itself to pages (EIP-1193), such as a browser extension. Open it in a browser that has one, or review the plan on the command line: ",
    el("code", {}, "service plan show"),
    "."
  )
]

export const chooseWallet = (
  wallets: ReadonlyArray<FoundWallet>,
  chosen: (provider: Provider) => void
): ReadonlyArray<HTMLElement> => [
  el("h2", {}, "Which wallet?"),
  paragraph("Several wallets offer themselves to this page. Choose the one that has the owner's account."),
  el(
    "div",
    { class: "actions" },
    wallets.map(({ name, provider }) => button(name.slice(0, 40), () => chosen(provider)))
  )
]
