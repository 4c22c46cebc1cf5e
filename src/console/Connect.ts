/** From nobody to somebody: finds the wallet, its account and the account's chain. */
import { createPublicClient } from "../client/Client.ts"
import { partsOfAccount } from "../client/SignRequest.ts"
import type { Capabilities } from "../http/api/Capabilities.ts"
import type { PagePlace } from "../review/PagePath.ts"
import { exact, row, words } from "../review/Words.ts"
import { type Desk, deskFor } from "./Desk.ts"
import { button, el, paragraph } from "./Elements.ts"
import type { Stage } from "./Stage.ts"
import { accountsOf, chainIdOf, type FoundWallet, type Provider } from "./Wallet.ts"

type Connected = (desk: Desk, capabilities: Capabilities) => Promise<void>

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

const chainOptions = ({ chains }: Capabilities, connected: number): ReadonlyArray<HTMLOptionElement> => {
  const known = chains.some(({ id }) => id === connected)
  const all = known ? chains : [...chains, { id: connected, name: "the wallet's chain" }]
  return all.map(({ id, name }) =>
    el("option", { value: String(id), ...(id === connected && { selected: "" }) }, `${name} (${id})`)
  )
}

/** Without a hint the person says which chain names the account. */
const chooseChain = (
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

const wrongAccount = (stage: Stage, owner: string, accounts: ReadonlyArray<string>): void =>
  stage.warn({
    title: "The wallet's account is not the plan's owner",
    advice: "Choose the owner's account in the wallet and allow it for this page, then connect again.",
    rows: [
      row("owner", exact(owner)),
      ...(accounts.length === 0
        ? [row("wallet", words("shows no account"))]
        : accounts.map(account => row("wallet", exact(account))))
    ]
  })

const connect = async (stage: Stage, provider: Provider, place: PagePlace, connected: Connected) => {
  const capabilities = await createPublicClient({ baseUrl: location.origin }).capabilities()
  const accounts = await accountsOf(provider)
  const { accountId } = place
  const owner = accountId === undefined ? accounts[0]?.toLowerCase() : partsOfAccount(accountId).owner
  const wallet = accounts.find(account => account.toLowerCase() === owner)
  if (wallet === undefined) return wrongAccount(stage, owner ?? "unknown", accounts)
  const seat = (id: string) => connected(deskFor(provider, wallet, id), capabilities)
  if (accountId !== undefined) return seat(accountId)
  chooseChain(stage, capabilities, await chainIdOf(provider), chainId =>
    stage.run("Reading the plan…", () => seat(`eip155:${chainId}:${owner}`))
  )
}

/** `begun` is called when the person connects. */
export const showConnect = (
  stage: Stage,
  provider: Provider,
  place: PagePlace,
  begun: () => void,
  connected: Connected
): void =>
  stage.show(
    el("h2", {}, "Connect the owner's wallet"),
    paragraph(
      "The service shows a plan to its owner alone, so the first signature asks for it. Before every signature this page says in words what it is for. Nothing is sent to a chain without your consent in the wallet."
    ),
    place.accountId === undefined ? undefined : paragraph("Account ", el("code", {}, place.accountId)),
    button(
      "Connect the wallet",
      () => {
        begun()
        stage.run("Waiting for the wallet…", () => connect(stage, provider, place, connected))
      },
      "primary"
    )
  )
