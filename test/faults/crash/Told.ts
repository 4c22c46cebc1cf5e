/** Everything that clients asked and were told, for the comparison with what really happened. */
import type { Plan } from "../../../src/plans/Plan.ts"
import type { PublicSession } from "../../../src/sessions/Session.ts"
import type { Sponsorship } from "../../../src/sponsorship/Sponsorship.ts"
import type { PublicUserOperation } from "../../../src/useroperations/PublicUserOperation.ts"

export interface Told {
  readonly principal: string
  readonly route:
    | "create"
    | "submit"
    | "show"
    | "sponsor"
    | "publish"
    | "bind"
    | "operate"
    | "send"
    | "look"
    | "session"
    | "admit"
    | "observe"
  readonly key: string
  readonly nonce: string
  readonly status: number
  readonly code: string | undefined
  /** Refused since its account has too many live nonces, to which that of the request was not added. */
  readonly crowded: boolean
  readonly plan: Plan | undefined
  readonly sponsorship?: Sponsorship
  readonly operation?: PublicUserOperation
  readonly session?: PublicSession
  readonly at: number
}

/** A transaction that a wallet signed for a step, whether or not it was ever accepted. */
export interface SignedFor {
  readonly planId: string
  readonly step: number
  readonly hash: string
  /** Chain, sender and nonce. */
  readonly slot: string
}

export interface Notebook {
  readonly told: Array<Told>
  readonly signed: Array<SignedFor>
  /** Hashes that a wallet sent to the chain past the service. */
  readonly direct: Set<string>
  /** Requests that wait for an answer. */
  readonly open: Set<unknown>
  readonly lost: { count: number }
}

export const emptyNotebook = (): Notebook => ({
  told: [],
  signed: [],
  direct: new Set(),
  open: new Set(),
  lost: { count: 0 }
})
