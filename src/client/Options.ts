/** What a client is made with, and what follows from it. */
import { ClientMisuse } from "./Errors.ts"
import type { Fetch } from "./Exchange.ts"
import type { Signer } from "./Signer.ts"
import { partsOfAccount } from "./SignRequest.ts"
import { realSystem, type System } from "./System.ts"

export interface PublicOptions {
  /** The service, such as `http://localhost:8787`. */
  readonly baseUrl: string
  readonly fetch?: Fetch
  /** After the first, 3 by default. */
  readonly retries?: number
  /** Each attempt; 65 000 by default. */
  readonly timeoutMillis?: number
  readonly system?: System
}

export interface ClientOptions extends PublicOptions {
  /** What signatures are bound to; learned when absent. */
  readonly audience?: string | undefined
  /** `eip155:<authority chain id>:<lower-case owner address>`. */
  readonly account: string
  readonly signer: Signer
  /** Of a bot; absent for the owner. */
  readonly grantId?: string | undefined
  /** How long a signature is valid: 60 by default, 300 at most. */
  readonly windowSeconds?: number
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, "")

export const transportOf = (options: PublicOptions) => ({
  baseUrl: withoutSlash(options.baseUrl),
  fetch: options.fetch ?? ((url: string, init: RequestInit) => fetch(url, init)),
  retries: options.retries ?? 3,
  timeoutMillis: options.timeoutMillis ?? 65_000,
  system: options.system ?? realSystem
})

export const credentialsFrom = ({
  account,
  signer,
  grantId,
  audience,
  windowSeconds = 60
}: ClientOptions) => {
  const { owner } = partsOfAccount(account)
  if (grantId === undefined && signer.address.toLowerCase() !== owner)
    throw new ClientMisuse(
      `${signer.address} is not the owner of ${account}; a bot's key needs its grant id.`
    )
  return {
    account,
    signer,
    grantId,
    windowSeconds,
    audience: audience === undefined ? undefined : withoutSlash(audience)
  }
}
