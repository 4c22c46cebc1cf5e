-- edition 2
-- Stores a prepared operation for its idempotency key under the lock of its account's row; asked.account and the times are given here.
-- Verdict TWIN: the key has this operation already.
CREATE OR REPLACE FUNCTION store_user_operation(
  of_account text,
  granted uuid,
  key text,
  identity text,
  asked user_operations,
  operations_limit integer,
  keys_limit integer
) RETURNS operation_storage LANGUAGE plpgsql AS $$
DECLARE
  account_number bigint;
  plan_expiry bigint;
  known record;
  now bigint;
BEGIN
  SELECT a.number INTO account_number FROM accounts a WHERE a.id = of_account FOR UPDATE;
  now := unix_millis();
  IF account_number IS NULL THEN
    RETURN ('ACCOUNT_NOT_FOUND', NULL)::operation_storage;
  ELSIF NOT grant_allows(account_number, granted, 'plan', now / 1000) THEN
    RETURN ('FORBIDDEN', NULL)::operation_storage;
  END IF;

  SELECT k.identity, k.subject INTO known FROM idempotency_keys k
  WHERE k.account = account_number AND k.principal = asked.principal AND k.key = store_user_operation.key;
  IF FOUND THEN
    RETURN (
      CASE WHEN known.identity = store_user_operation.identity THEN 'TWIN' ELSE 'IDEMPOTENCY_CONFLICT' END, known.subject
    )::operation_storage;
  END IF;

  SELECT p.expires_at INTO plan_expiry FROM plans p
  WHERE p.id = asked.plan AND p.account = account_number AND p.principal = asked.principal;
  IF NOT FOUND THEN
    RETURN ('PLAN_NOT_FOUND', NULL)::operation_storage;
  ELSIF plan_expiry <= now THEN
    RETURN ('PLAN_EXPIRED', NULL)::operation_storage;
  -- Those of archived plans no longer count.
  ELSIF operations_full(account_number, operations_limit) THEN
    RETURN ('OPERATIONS_LIMIT', NULL)::operation_storage;
  ELSIF EXISTS (SELECT 1 FROM idempotency_keys k WHERE k.account = account_number OFFSET keys_limit - 1) THEN
    RETURN ('KEYS_LIMIT', NULL)::operation_storage;
  END IF;

  asked.account := account_number;
  asked.created_at := now;
  asked.revision := 0;
  asked.claimed := false;
  asked.revived := false;
  asked.sweep_attempts := 0;
  INSERT INTO user_operations VALUES (asked.*) ON CONFLICT (chain_id, operation_hash) DO NOTHING;
  IF NOT FOUND THEN
    RETURN ('OPERATION_EXISTS', NULL)::operation_storage;
  END IF;
  INSERT INTO idempotency_keys (account, principal, key, identity, kind, plan, subject, created_at)
  VALUES (account_number, asked.principal, store_user_operation.key, store_user_operation.identity, 'operation', asked.plan, asked.id, now);
  RETURN ('STORED', asked.id)::operation_storage;
END $$;
