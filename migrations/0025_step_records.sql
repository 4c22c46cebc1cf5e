-- Written out in functions/step_records.sql, which takes its place.
CREATE FUNCTION step_records(of_plan uuid) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN NULL;
END $$;

CREATE OR REPLACE VIEW plan_records AS
SELECT p.id, a.id AS account_id, p.principal, p.wallet, p.terms, p.commitment, p.created_at, p.expires_at, p.revision,
  p.sweep_at IS NOT NULL AS watched, step_records(p.id) AS steps
FROM plans p JOIN accounts a ON a.number = p.account;
