/** The codes of sessions. */
import { entry } from "./ProblemEntry.ts"

export const sessionProblems = {
  SESSIONS_UNAVAILABLE: entry(
    503,
    "No guard is pinned by the wallet's manifest, or by any of wallets that act by operations.",
    false
  ),
  SESSION_NOT_FOUND: entry(404, "There is no such session for this principal."),
  SESSION_GRANT_UNSUITABLE: entry(
    422,
    "The grant is not active with every scope until the session is over; context.reason says which of it fails."
  ),
  SESSION_TARGET_UNREVIEWED: entry(
    422,
    "An action's contract is not among those that the wallet's manifest reviewed for it, or has other code now; context says which."
  ),
  SESSION_ASSET_UNREVIEWED: entry(
    422,
    "An allocation's asset is not among those that the manifests reviewed on its chain; context says which."
  ),
  SESSION_ALLOCATION_INVALID: entry(
    422,
    "The allocations, or what actions take of them, break a rule; context says where, and what would be right."
  ),
  SESSION_CONFLICT: entry(
    409,
    "The nonce, or the generation of this key, was used for a session of this wallet before; take others: none is ever used again."
  ),
  SESSION_CHANGED: entry(
    409,
    "The session is compiled to another hash than the acknowledged one; read it again."
  ),
  SESSION_RETIREMENT_REQUIRED: entry(
    409,
    "Another session of the wallet is admitted, lives at its guard, or was not seen to be over in a final block yet; revoke it first, and wait until its reservation is released."
  ),
  SESSION_PLAN_NOT_ADMITTED: entry(
    409,
    "The plan is not the one by which the session is to be enabled or revoked now, or the bot of the session that it enables has its grant no more."
  ),
  SESSION_PLAN_NOT_REPLACEABLE: entry(
    409,
    "The plan that is admitted may still be carried out, or was; context.reason says why no other replaces it."
  ),
  SESSION_NOT_ACTIVE: entry(
    409,
    "The session is not active, as context.state says, or began less than ten seconds ago by its chain's head: context.validAfter and context.timestamp."
  ),
  SESSION_OBSERVATION_STALE: entry(
    409,
    "The session was not seen active within the last minute; read it again, then repeat.",
    true
  ),
  SESSION_CALL_REFUSED: entry(
    422,
    "The guard would refuse the call; context.rule is the number that its error gives."
  ),
  SESSION_BUDGET_EXHAUSTED: entry(
    422,
    "The session has too little left for the operation; context.counter says of what."
  ),
  SESSION_SIGNATURE_MISMATCH: entry(
    403,
    "The operation's signature is not the session key's, or is of another operation."
  )
} as const
