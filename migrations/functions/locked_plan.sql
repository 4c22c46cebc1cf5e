-- edition 1
-- Locks the account's and then the plan's row of a principal's own plan; refuses one that is not as it was judged, if it was.
CREATE OR REPLACE FUNCTION locked_plan(
  of_account text,
  of_principal text,
  of_plan uuid,
  judged_revision integer,
  OUT account_number bigint,
  OUT expires_at bigint
) LANGUAGE plpgsql AS $$
DECLARE
  found_revision integer;
BEGIN
  SELECT a.number INTO account_number FROM accounts a WHERE a.id = of_account FOR UPDATE;
  IF NOT FOUND THEN
    PERFORM refuse_claim('ACCOUNT_NOT_FOUND');
  END IF;
  SELECT p.revision, p.expires_at INTO found_revision, expires_at FROM plans p
  WHERE p.id = of_plan AND p.account = account_number AND p.principal = of_principal FOR UPDATE;
  IF NOT FOUND THEN
    PERFORM refuse_claim('PLAN_NOT_FOUND');
  ELSIF found_revision <> judged_revision THEN
    PERFORM refuse_claim('CONCURRENT_UPDATE');
  END IF;
END $$;
