/** Who may call an endpoint, and what its requests must carry. */
import type { Rights } from "../../auth/Border.ts"

export interface SignedAccess extends Rights {
  readonly kind: "signed"
  readonly bodyBytes: number
}

/** `pinned` data never changes while the process runs: it is cached, tagged and compressed. */
export interface PublicAccess {
  readonly kind: "public"
  readonly pinned: boolean
}

export type Access = PublicAccess | SignedAccess

export const ACCOUNT_BODY_BYTES = 65_536
export const BODY_BYTES = 1_048_576

export const signed = (over: Partial<SignedAccess>): SignedAccess => ({
  kind: "signed",
  scope: "read",
  ownerOnly: false,
  idempotency: "optional",
  enrolment: false,
  wantsAccount: false,
  bodyBytes: BODY_BYTES,
  ...over
})

export const open: PublicAccess = { kind: "public", pinned: false }
export const pinned: PublicAccess = { kind: "public", pinned: true }
