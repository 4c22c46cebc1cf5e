/** What a route asks of who signs for it. */
export interface Rights {
  readonly scope: "read" | "plan" | "relay"
  readonly ownerOnly: boolean
  readonly idempotency: "required" | "optional"
  /** No account needs to exist yet. */
  readonly enrolment: boolean
  /** The handler answers with the account record, so the ledger brings it along. */
  readonly wantsAccount: boolean
}
