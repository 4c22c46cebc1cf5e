/** From nobody to somebody: finds the wallet, its account and the account's chain. */
import { createPublicClient } from "../client/Client.ts"
import { ServiceProblem } from "../client/Errors.ts"
import { partsOfAccount } from "../client/SignRequest.ts"
import type { Capabilities } from "../http/api/Capabilities.ts"
import type { PagePlace } from "../review/PagePath.ts"
import { STAY, stay } from "./app/SeatBar.ts"
import { Desk } from "./Desk.ts"
import { button, el, paragraph } from "./Elements.ts"
import { sentNames } from "./SentRecord.ts"
import type { Stage } from "./Stage.ts"
import { accountsOf, chainIdOf, type Provider } from "./Wallet.ts"

type Connected = (desk: Desk, capabilities: Capabilities) => void

interface Connecting {
  readonly provider: Provider
  readonly place: PagePlace
  /** How the tab comes to sign by itself, where it is to. */
  readonly signsIn: ((desk: Desk) => Promise<void>) | undefined
  readonly connected: Connected
}

const isUnknown = (failure: unknown): boolean =>
  failure instanceof ServiceProblem && failure.code === "ACCOUNT_NOT_FOUND"

const enter = async (stage: Stage, desk: Desk, { signsIn }: Connecting, entered: () => void) => {
  if (signsIn === undefined) return entered()
  const next = async () => {
    await signsIn(desk)
    entered()
  }
  await next().catch(async (failure: unknown) => {
    if (!isUnknown(failure)) throw failure
    const { offerEnrolment } = await import("./ConnectElse.ts")
    offerEnrolment(stage, desk, next)
  })
}

const connect = async (stage: Stage, connecting: Connecting): Promise<void> => {
  const { provider, place, connected } = connecting
  const capabilities = await createPublicClient({ baseUrl: location.origin }).capabilities()
  const accounts = await accountsOf(provider)
  const { accountId } = place
  const owner = accountId === undefined ? accounts[0]?.toLowerCase() : partsOfAccount(accountId).owner
  const wallet = accounts.find(account => account.toLowerCase() === owner)
  if (wallet === undefined) {
    const { wrongAccount } = await import("./ConnectElse.ts")
    return wrongAccount(stage, owner ?? "unknown", accounts)
  }
  const enterAs = (id: string) => {
    const desk = new Desk(provider, wallet, id)
    return enter(stage, desk, connecting, () => connected(desk, capabilities))
  }
  if (accountId !== undefined) return enterAs(accountId)
  const { chooseChain } = await import("./ConnectElse.ts")
  chooseChain(stage, capabilities, await chainIdOf(provider), chainId =>
    stage.run("Waiting for the wallet…", () => enterAs(`eip155:${chainId}:${owner}`))
  )
}

/** `begun` is called when the person connects. */
export const showConnect = (stage: Stage, asked: Omit<Connecting, "signsIn">, begun: () => void): void => {
  const begin = (signsIn: Connecting["signsIn"]) => () => {
    begun()
    stage.run("Waiting for the wallet…", () => connect(stage, { ...asked, signsIn }))
  }
  const { accountId, planId = "" } = asked.place
  const actions = el(
    "div",
    { class: "actions" },
    button(STAY, begin(stay), "primary"),
    button("Ask me each time", begin(undefined))
  )
  stage.show(
    el("h2", {}, "Connect the owner's wallet"),
    paragraph(
      "The service shows what is the account's to its owner alone. Stay signed in, and two signatures make a key of this tab and let it ask: then the wallet is asked for transactions, approvals and what the owner alone may ask. The key is gone with the tab, and its rights end by themselves."
    ),
    paragraph(
      "Before every signature this page says in words what it is for. Nothing is sent to a chain without your consent in the wallet."
    ),
    accountId === undefined ? undefined : paragraph("Account ", el("code", {}, accountId)),
    actions
  )
  if (sentNames().length > 0)
    import("./ConnectElse.ts").then(({ offerToContinue }) => offerToContinue(actions, planId, begin))
}
