-- Of a plan that was ended before its time: until when its owner committed to it. And of every plan, when the database was first brought
-- back from a backup that may have been taken before the plan's steps left.
ALTER TABLE plans ADD COLUMN committed_until bigint;

CREATE OR REPLACE VIEW plan_records AS
SELECT p.id, a.id AS account_id, p.principal, p.wallet, p.terms, p.commitment, p.created_at, p.expires_at, p.revision,
  p.sweep_at IS NOT NULL AS watched, step_records(p.id) AS steps, p.committed_until,
  (SELECT min(r.restored_at) FROM restorations r WHERE r.restored_at >= p.created_at) AS restored_at
FROM plans p JOIN accounts a ON a.number = p.account;
