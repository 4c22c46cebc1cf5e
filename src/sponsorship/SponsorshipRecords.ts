/** The columns that a sponsorship's record is made of. */
export const SPONSORSHIP_RECORDS = `s.*, p.commitment AS plan_commitment, p.expires_at AS plan_ends_at, p.restored_at, p.steps, unix_millis() AS now,
  CASE WHEN u.sponsorship IS NOT NULL THEN publication_facts(u) END AS publication,
  EXISTS (SELECT FROM restorations r WHERE r.restored_at >= u.reserved_at) AS is_paid_perhaps,
  (SELECT json_build_object('planId', f.plan, 'chainId', f.chain_id, 'admitted', f.admitted, 'steps', r.steps)
    FROM fundings f JOIN plan_records r ON r.id = f.plan
    WHERE f.sponsorship = s.id AND (f.admitted OR r.expires_at > unix_millis())
    ORDER BY f.admitted DESC, r.created_at DESC, f.plan LIMIT 1) AS funding
FROM sponsorships s JOIN plan_records p ON p.id = s.plan LEFT JOIN publications u ON u.sponsorship = s.id`

/** With those of its plan. */
export const PLANNED_SPONSORSHIPS = `p.account_id, p.terms, p.created_at AS plan_created_at, p.expires_at AS plan_expires_at,
  p.committed_until, p.revision AS plan_revision, p.watched, ${SPONSORSHIP_RECORDS}`
