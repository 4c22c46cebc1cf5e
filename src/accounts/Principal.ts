/** Who an authenticated request speaks for, and the window in which it was signed. */
import { Context } from "effect"
import type { Scopes } from "./Account.ts"

interface Signed {
  readonly accountId: string
  readonly authorityChainId: number
  readonly ownerAddress: string
  /** Lower-case address that signed. */
  readonly signer: string
  readonly issuedAt: number
  readonly expiresAt: number
  readonly nonce: `0x${string}`
}

export type Actor =
  | (Signed & { readonly kind: "owner"; readonly id: `owner:${string}` })
  | (Signed & {
      readonly kind: "bot"
      readonly id: `bot:${string}`
      readonly grantId: string
      readonly scopes: Scopes
    })

export class Principal extends Context.Tag("accounts/Principal")<Principal, Actor>() {}
