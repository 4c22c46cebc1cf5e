/** Above every page: whose it is, whether the tab signs by itself, and the way in and out of that. */
import { partsOfAccount } from "../../client/SignRequest.ts"
import { exact, row } from "../../review/Words.ts"
import type { Desk, SignedOut, TabGrant } from "../Desk.ts"
import { button, el } from "../Elements.ts"
import { Declined } from "../Prompt.ts"
import { isDeclined } from "../Wallet.ts"

type Run = (doing: string, work: () => Promise<void>) => void

export const STAY = "Stay signed in for an hour"

const clockText = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })

const OUT: Readonly<Record<SignedOut, string>> = {
  asks: "The wallet is asked for each signature.",
  ended:
    "You are no longer signed in: the grant of this tab ended or was revoked. Nothing on the page is lost; the wallet is asked for each signature.",
  revoked: "Signed out: the grant of this tab is revoked.",
  forgotten: ""
}

export const stay = async (desk: Desk): Promise<void> => {
  const { signIn } = await import("./SignIn.ts")
  desk.enter(await signIn(desk))
}

export class SeatBar {
  readonly view = el("div", { class: "seat" })
  readonly #said = el("span", { role: "status" })
  readonly #acts = el("span", { class: "acts" })
  readonly #desk: Desk
  readonly #run: Run
  #kept = 0

  constructor(desk: Desk, run: Run) {
    this.#desk = desk
    this.#run = run
    const { chainId, owner } = partsOfAccount(desk.owner.account)
    const short = `${owner.slice(0, 6)}…${owner.slice(-4)}`
    const account = el(
      "span",
      { class: "account", title: desk.owner.account },
      `${short} on chain ${chainId}`
    )
    this.view.append(account, this.#said, this.#acts)
    desk.onChange(() => this.#show())
    this.#show()
  }

  #show(): void {
    const { grant, signedOut } = this.#desk
    if (grant !== undefined) {
      this.#said.textContent = `Signed in until ${clockText(grant.expiresAt)}.`
      this.#acts.replaceChildren(button("Sign out", () => this.#signOut(grant)))
      return
    }
    this.#said.textContent = signedOut === "forgotten" ? this.#forgotten() : OUT[signedOut]
    this.#acts.replaceChildren(
      button(STAY, () => this.#run("Waiting for the wallet…", () => stay(this.#desk)))
    )
  }

  #forgotten(): string {
    return `Signed out: this tab forgot its key. The grant was not revoked and ends by itself at ${clockText(this.#kept)}.`
  }

  /** The key is gone at once, whatever the page waits for and whatever comes of the revocation. */
  #signOut({ grantId, expiresAt }: TabGrant): void {
    this.#kept = expiresAt
    this.#desk.leave("forgotten")
    this.#run("Signing out…", async () => {
      try {
        await this.#desk.about([row("grant", exact(grantId))], ({ owner }) => owner.bots.revoke(grantId))
        this.#desk.revoked()
      } catch (failure) {
        if (!(failure instanceof Declined) && !isDeclined(failure)) throw failure
      }
    })
  }
}
