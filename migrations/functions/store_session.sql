-- edition 1
-- Stores a prepared session for its idempotency key under the lock of its account's row; asked.account and the times are given here.
-- Verdict TWIN: the key has this session already.
CREATE OR REPLACE FUNCTION store_session(
  of_account text,
  granted uuid,
  key text,
  identity text,
  asked sessions,
  bound_state text,
  sessions_limit integer,
  keys_limit integer
) RETURNS session_storage LANGUAGE plpgsql AS $$
DECLARE
  account_number bigint;
  known record;
  now bigint;
BEGIN
  SELECT a.number INTO account_number FROM accounts a WHERE a.id = of_account FOR UPDATE;
  now := unix_millis();
  IF account_number IS NULL THEN
    RETURN ('ACCOUNT_NOT_FOUND', NULL)::session_storage;
  ELSIF NOT grant_allows(account_number, granted, 'plan', now / 1000) THEN
    RETURN ('FORBIDDEN', NULL)::session_storage;
  END IF;

  SELECT k.identity, k.subject INTO known FROM idempotency_keys k
  WHERE k.account = account_number AND k.principal = asked.principal AND k.key = store_session.key;
  IF FOUND THEN
    RETURN (
      CASE WHEN known.identity = store_session.identity THEN 'TWIN' ELSE 'IDEMPOTENCY_CONFLICT' END, known.subject
    )::session_storage;
  END IF;

  IF NOT EXISTS (SELECT 1 FROM bindings b WHERE b.id = asked.binding AND b.account = account_number
    AND b.state_hash = bound_state AND b.unlinked_at IS NULL)
  THEN
    RETURN ('BINDING_CHANGED', NULL)::session_storage;
  ELSIF NOT grant_outlasts(account_number, asked.grant_id, asked.session_key, asked.valid_until, now / 1000) THEN
    RETURN ('GRANT_UNSUITABLE', NULL)::session_storage;
  -- Those that ended long ago no longer count.
  ELSIF EXISTS (SELECT 1 FROM sessions s WHERE s.account = account_number AND s.archived_at IS NULL OFFSET sessions_limit - 1) THEN
    RETURN ('SESSIONS_LIMIT', NULL)::session_storage;
  ELSIF EXISTS (SELECT 1 FROM idempotency_keys k WHERE k.account = account_number OFFSET keys_limit - 1) THEN
    RETURN ('KEYS_LIMIT', NULL)::session_storage;
  END IF;

  asked.account := account_number;
  asked.created_at := now;
  asked.updated_at := now;
  asked.revision := 0;
  asked.live := false;
  asked.was_enabled := false;
  asked.sweep_attempts := 0;
  INSERT INTO sessions VALUES (asked.*) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN
    RETURN ('USED_BEFORE', NULL)::session_storage;
  END IF;
  INSERT INTO idempotency_keys (account, principal, key, identity, kind, subject, created_at)
  VALUES (account_number, asked.principal, store_session.key, store_session.identity, 'session', asked.id, now);
  RETURN ('STORED', asked.id)::session_storage;
END $$;
