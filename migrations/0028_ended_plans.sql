-- Until when their owners committed to plans that were ended before. The view that says it, and when the database was first brought back from
-- a backup after the plan was made, is locked before its tables, as those that read it do.
ALTER VIEW plan_records RESET (security_barrier);

CREATE TABLE ended_plans (
  plan uuid PRIMARY KEY REFERENCES plans (id),
  committed_until bigint NOT NULL
);

CREATE OR REPLACE VIEW plan_records AS
SELECT p.id, a.id AS account_id, p.principal, p.wallet, p.terms, p.commitment, p.created_at, p.expires_at, p.revision,
  p.sweep_at IS NOT NULL AS watched, step_records(p.id) AS steps,
  (SELECT e.committed_until FROM ended_plans e WHERE e.plan = p.id) AS committed_until,
  (SELECT min(r.restored_at) FROM restorations r WHERE r.restored_at >= p.created_at) AS restored_at
FROM plans p JOIN accounts a ON a.number = p.account;
