/** A plan of a session's as it is shown, from the columns of `l` and its own. */
const LIFECYCLE_PLAN = `'planId', l.plan, 'planCommitment', p.commitment, 'ownerRequestDigest', l.owner_request_digest,
  'issuedAt', l.issued_at, 'expiresAt', p.expires_at`

const current = (kind: "activation" | "revocation") =>
  `(SELECT json_build_object(${LIFECYCLE_PLAN}) FROM session_plans l JOIN plans p ON p.id = l.plan
    WHERE l.session = s.id AND l.kind = '${kind}' AND l.superseded_at IS NULL) AS ${kind}`

/** So that a record fits into an answer, however often its plans are replaced. */
const SHOWN_SUPERSEDED = 32

/** The columns that a session's record is made of. */
export const SESSION_RECORDS = `s.id, a.id AS account_id, s.principal, s.binding, s.chain_id, s.wallet, s.terms, s.created_at,
  s.updated_at, s.revision, s.observation, s.observed_at, s.was_enabled, s.invalidation, s.released_at, unix_millis() AS now,
  CASE WHEN g.revoked_at IS NOT NULL THEN g.revoked_at * 1000
    WHEN g.expires_at <= unix_seconds() THEN g.expires_at * 1000 END AS grant_ended_at,
  b.unlinked_at, b.manifest AS bound_manifest, b.state_hash AS bound_state, b.snapshot -> 'owners' AS bound_owners, ${current("activation")}, ${current("revocation")},
  (SELECT coalesce(json_agg(json_build_object('kind', l.kind, ${LIFECYCLE_PLAN}, 'supersededAt', l.superseded_at)
      ORDER BY l.superseded_at, l.plan), '[]')
    FROM (SELECT r.* FROM session_plans r WHERE r.session = s.id AND r.superseded_at IS NOT NULL
      ORDER BY r.issued_at DESC, r.superseded_at DESC LIMIT ${SHOWN_SUPERSEDED}) l JOIN plans p ON p.id = l.plan) AS superseded
FROM sessions s JOIN accounts a ON a.number = s.account JOIN bot_grants g ON g.id = s.grant_id
  JOIN bindings b ON b.id = s.binding`
