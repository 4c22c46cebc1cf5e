/** Who is at the page: the wallet, its account, and the clients that sign for it. */
import { type Client, createClient } from "../client/Client.ts"
import type { ClientOptions } from "../client/Options.ts"
import type { Signer } from "../client/Signer.ts"
import { realSystem } from "../client/System.ts"
import type { ReviewRow } from "../review/Words.ts"
import { askingSigner } from "./AskingSigner.ts"
import type { Provider } from "./Wallet.ts"

/** Long enough for a person who reads before confirming. */
const WINDOW_SECONDS = 240

/** `learned` by another client of the same account. */
const clientOf = (account: string, signer: Signer, learned: Partial<ClientOptions> = {}): Client =>
  createClient({
    baseUrl: location.origin,
    account,
    signer,
    windowSeconds: WINDOW_SECONDS,
    retries: 0,
    ...learned
  })

/** What the owner granted a key of this tab. */
export interface TabGrant {
  readonly client: Client
  readonly grantId: string
  /** Unix seconds. */
  readonly expiresAt: number
  /** What is kept of its key until what the tab sent is bound. */
  readonly kept: string
  /** `isOver` where the key is not to be made again. */
  readonly forget: (isOver: boolean) => void
}

/** Why nobody is signed in: never was, or what became of it. */
export type SignedOut = "asks" | "ended" | "revoked" | "forgotten"

/** Who asks for what is told: the wallet's questions tell the same of each, and of nothing else. */
export interface AskingFor {
  readonly owner: Client
  readonly signer: Signer
  /** The tab's own while somebody is signed in. */
  readonly client: Client
}

export class Desk {
  readonly provider: Provider
  readonly wallet: string
  /** Every signature is asked for in words first. */
  readonly owner: Client
  /** What the wallet was found to lack by asking it. */
  readonly lacks = new Set<"eth_signTransaction">()
  #grant: TabGrant | undefined
  #out: SignedOut = "asks"
  #ending = new AbortController()
  #changed = () => {}

  constructor(provider: Provider, wallet: string, account: string) {
    this.provider = provider
    this.wallet = wallet
    this.owner = clientOf(account, askingSigner(provider, wallet, []))
  }

  /** The tab's own while somebody is signed in, the owner's otherwise: to be taken anew for each request. */
  get client(): Client {
    return this.grant?.client ?? this.owner
  }

  get grant(): TabGrant | undefined {
    if (this.#grant !== undefined && this.owner.clock.seconds() >= this.#grant.expiresAt) this.leave("ended")
    return this.#grant
  }

  get signedOut(): SignedOut {
    return this.#out
  }

  /** Called whenever somebody signs in or is signed out. */
  onChange(changed: () => void): void {
    this.#changed = changed
  }

  enter(grant: TabGrant): void {
    this.leave("asks")
    this.#grant = grant
    const millis = (grant.expiresAt - this.owner.clock.seconds()) * 1000
    this.#ending = new AbortController()
    realSystem.sleep(millis, this.#ending.signal).then(
      () => this.leave("ended"),
      () => {}
    )
    this.#changed()
  }

  /** Forgets the key; whatever is on the page stays. */
  leave(why: SignedOut): void {
    if (this.#grant === undefined) return
    this.#ending.abort()
    this.#grant.forget(why !== "asks")
    this.#grant = undefined
    this.#out = why
    this.#changed()
  }

  /** Said where the key is gone already and nobody signed in since. */
  revoked(): void {
    if (this.#grant !== undefined || this.#out !== "forgotten") return
    this.#out = "revoked"
    this.#changed()
  }

  /** Runs what asks for a signature, telling beforehand what it is about. */
  async about<Result>(
    rows: ReadonlyArray<ReviewRow>,
    work: (asking: AskingFor) => Promise<Result>
  ): Promise<Result> {
    const { account, clock } = this.owner
    const signer = askingSigner(this.provider, this.wallet, rows)
    const audience = await this.owner.audience()
    const system = { ...realSystem, now: () => realSystem.now() + clock.offsetMillis }
    const owner = clientOf(account, signer, { audience, system })
    return work({ owner, signer, client: this.grant?.client ?? owner })
  }
}
