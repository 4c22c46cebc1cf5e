-- edition 1
-- Whether so many user operations of the account count, whose row the caller has locked. Where they seem to, those of plans that were archived
-- by a build that did not note it with them are noted, and counted no more.
CREATE OR REPLACE FUNCTION operations_full(of_account bigint, at_most integer) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM user_operations o WHERE o.account = of_account AND o.archived_at IS NULL OFFSET at_most - 1) THEN
    RETURN false;
  END IF;
  UPDATE user_operations o SET archived_at = p.archived_at FROM plans p
  WHERE o.account = of_account AND o.archived_at IS NULL AND p.id = o.plan AND p.archived_at IS NOT NULL;
  RETURN EXISTS (SELECT 1 FROM user_operations o WHERE o.account = of_account AND o.archived_at IS NULL OFFSET at_most - 1);
END $$;
