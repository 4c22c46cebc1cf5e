-- edition 3
-- The key's first request gives it its outcome; nothing is stored above the bound. A plan that was archived is so no more, that its new key goes
-- with it once it is again; nor is one that is over, for it may be archived just now by a statement that does not see the key.
CREATE OR REPLACE FUNCTION record_outcome(asked dispatch_request, account_number bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  known record;
BEGIN
  SELECT k.identity INTO known FROM idempotency_keys k
  WHERE k.account = account_number AND k.principal = asked.principal AND k.key = asked.key;
  IF FOUND THEN
    IF known.identity <> asked.identity THEN
      PERFORM refuse_claim('IDEMPOTENCY_CONFLICT');
    END IF;
    RETURN;
  END IF;
  INSERT INTO idempotency_keys (account, principal, key, identity, kind, plan, step, created_at)
  SELECT account_number, asked.principal, asked.key, asked.identity,
    CASE WHEN asked.step IS NULL THEN 'bundle' ELSE 'submission' END, asked.plan, asked.step, unix_millis()
  WHERE (SELECT count(*) FROM (SELECT 1 FROM idempotency_keys k
    WHERE k.account = account_number LIMIT asked.keys_per_account) kept) < asked.keys_per_account;
  IF NOT FOUND THEN
    PERFORM refuse_claim('STORAGE_LIMIT');
  END IF;
  UPDATE plans SET archived_at = NULL, changed_at = unix_millis()
  WHERE id = asked.plan AND (archived_at IS NOT NULL OR expires_at < unix_millis());
END $$;
