-- edition 2
-- Keeps for its idempotency key that the guard had done already what a plan of this kind was asked for: the key leads to the plan that is
-- admitted, or to none. Under the locks of the account's and then the session's row. Verdict TWIN: the key leads somewhere already.
CREATE OR REPLACE FUNCTION keep_reached(
  of_account text,
  of_principal text,
  key text,
  identity text,
  of_session uuid,
  of_kind text,
  keys_limit integer,
  OUT verdict text,
  OUT plan uuid
) LANGUAGE plpgsql AS $$
DECLARE
  account_number bigint;
  known record;
  now bigint;
BEGIN
  SELECT a.number INTO account_number FROM accounts a WHERE a.id = of_account FOR UPDATE;
  IF account_number IS NULL THEN
    verdict := 'ACCOUNT_NOT_FOUND';
    RETURN;
  END IF;

  SELECT k.identity, k.plan INTO known FROM idempotency_keys k
  WHERE k.account = account_number AND k.principal = of_principal AND k.key = keep_reached.key;
  IF FOUND THEN
    verdict := CASE WHEN known.identity = keep_reached.identity THEN 'TWIN' ELSE 'IDEMPOTENCY_CONFLICT' END;
    plan := known.plan;
    RETURN;
  ELSIF NOT EXISTS (SELECT 1 FROM sessions s WHERE s.id = of_session AND s.account = account_number) THEN
    verdict := 'SESSION_NOT_FOUND';
    RETURN;
  ELSIF EXISTS (SELECT 1 FROM idempotency_keys k WHERE k.account = account_number OFFSET keys_limit - 1) THEN
    verdict := 'KEYS_LIMIT';
    RETURN;
  END IF;

  -- Plans of a session come and go under the lock of its account.
  SELECT l.plan INTO plan FROM session_plans l WHERE l.session = of_session AND l.kind = of_kind AND l.superseded_at IS NULL;
  now := unix_millis();
  PERFORM 1 FROM sessions s WHERE s.id = of_session FOR UPDATE;
  INSERT INTO idempotency_keys (account, principal, key, identity, kind, plan, subject, created_at)
  VALUES (account_number, of_principal, keep_reached.key, keep_reached.identity, 'session', keep_reached.plan, of_session, now);
  -- A session that was archived is so no more, that its new key goes with it once it is again; nor is one that is over, for it may be archived
  -- just now by a statement that does not see the key.
  UPDATE sessions s SET archived_at = NULL, updated_at = now
  WHERE s.id = of_session AND (s.archived_at IS NOT NULL OR s.valid_until * 1000 < now);
  verdict := 'STORED';
END $$;
