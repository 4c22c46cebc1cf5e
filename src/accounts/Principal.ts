/** Who an authenticated request speaks for, and the window in which it was signed. */
import { Context } from "effect"
import type { Address } from "../values/Scalars.ts"
import type { Scopes } from "./Account.ts"

interface Signed {
  readonly accountId: string
  readonly authorityChainId: number
  /** Lower case. */
  readonly ownerAddress: Address
  /** Lower-case address that signed. */
  readonly signer: Address
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
