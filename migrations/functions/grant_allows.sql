-- edition 1
-- Whether a principal's grant allows this at that second; an owner, who has none, may do everything.
CREATE OR REPLACE FUNCTION grant_allows(account_number bigint, granted uuid, scope text, at_seconds bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  RETURN granted IS NULL OR EXISTS (
    SELECT 1 FROM bot_grants g WHERE g.id = granted AND g.account = account_number
      AND g.revoked_at IS NULL AND g.expires_at > at_seconds AND scope = ANY (g.scopes)
  );
END $$;
