/** The admitted request itself, for use cases that bind what they store or dispatch to what was signed. */
import { Context } from "effect"
import type { Account } from "../accounts/Account.ts"

/** What was transmitted, exactly. */
export interface Transmitted {
  readonly method: string
  readonly target: string
  readonly contentType: string
  readonly body: Uint8Array
}

export class SignedRequest extends Context.Tag("auth/SignedRequest")<
  SignedRequest,
  Transmitted & {
    readonly requestId: string
    readonly idempotencyKey: string | undefined
    /** The client address or network that the request counts against. */
    readonly address: string
    /** Where the route asks for it: the account as the ledger saw it under its lock. */
    readonly account: Account | undefined
  }
>() {}
