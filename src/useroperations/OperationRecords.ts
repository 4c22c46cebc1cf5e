/** The columns that an operation's record is made of. */
export const OPERATION_RECORDS = `o.*, p.account_id, p.commitment AS plan_commitment, p.expires_at AS plan_ends_at, p.revision AS plan_revision, p.steps AS step_facts,
  o.dead_hash IS NOT NULL AND NOT o.revived AS is_dead, unix_millis() AS now,
  EXISTS (SELECT FROM restorations r WHERE r.restored_at >= o.created_at) AS is_sent_perhaps,
  EXISTS (SELECT FROM bindings b WHERE b.id = o.binding AND b.state_hash = o.state_hash AND b.unlinked_at IS NULL) AS is_bound,
  CASE WHEN d.operation IS NOT NULL THEN json_build_object('commitment', d.commitment, 'startedAt', d.reserved_at,
    'leaseEndsAt', d.expires_at, 'outcome', d.outcome, 'answeredAt', d.answered_at) END AS send,
  CASE WHEN o.observed_block IS NOT NULL THEN json_build_object('blockHash', o.observed_block, 'count', o.scoped_count,
    'hash', o.scoped_hash, 'actualGasCost', o.actual_gas_cost::text) END AS scoped
FROM user_operations o JOIN plan_records p ON p.id = o.plan LEFT JOIN operation_sends d ON d.operation = o.id`

/** With those of its plan. */
export const PLANNED_OPERATIONS = `p.terms AS plan_terms, p.principal AS plan_principal, p.created_at AS plan_created_at,
  p.expires_at AS plan_expires_at, p.committed_until, p.restored_at, p.watched, ${OPERATION_RECORDS}`
