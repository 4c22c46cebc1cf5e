/** A service whose database was brought back to a moment before a plan's steps were claimed. */
import { sqlOn } from "./Sql.ts"

const CLAIMED_SINCE = [
  "DELETE FROM idempotency_keys WHERE plan = $1 AND kind <> 'plan'",
  "DELETE FROM owner_approvals WHERE plan = $1",
  "DELETE FROM dispatch_leases WHERE plan = $1",
  "DELETE FROM reserved_nonces WHERE plan = $1",
  "DELETE FROM transport_bindings WHERE plan = $1",
  "UPDATE plan_steps SET observed = NULL, receipt = NULL, semantic = NULL, revert = NULL, proof = NULL WHERE plan = $1",
  "UPDATE plans SET sweep_at = NULL, pending_since = NULL WHERE id = $1"
]

/** Without the half minute in which nothing is accepted. */
export const markRestored = async (databaseUrl: string): Promise<void> => {
  await sqlOn(databaseUrl, "SELECT mark_restored(true)")
  await sqlOn(databaseUrl, "UPDATE restorations SET requests_after = 0")
}

/** What the service has of the plan is what it had before any step of it left. */
export const neverClaimed = async (databaseUrl: string, plan: string): Promise<void> => {
  for (const text of CLAIMED_SINCE) await sqlOn(databaseUrl, text, [plan])
}

export const restoredBeforeClaims = async (databaseUrl: string, plan: string): Promise<void> => {
  await neverClaimed(databaseUrl, plan)
  await markRestored(databaseUrl)
}
