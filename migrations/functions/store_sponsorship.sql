-- edition 3
-- Stores a prepared sponsorship for its idempotency key under the lock of its account's row; asked.account is given here, and the time of
-- its creation where it has none.
-- Verdict TWIN: the key has this sponsorship already.
CREATE OR REPLACE FUNCTION store_sponsorship(
  of_account text,
  granted uuid,
  key text,
  identity text,
  asked sponsorships,
  sponsorships_limit integer,
  keys_limit integer
) RETURNS sponsorship_storage LANGUAGE plpgsql AS $$
DECLARE
  account_number bigint;
  known record;
  now bigint;
BEGIN
  SELECT a.number INTO account_number FROM accounts a WHERE a.id = of_account FOR UPDATE;
  now := unix_millis();
  IF account_number IS NULL THEN
    RETURN ('ACCOUNT_NOT_FOUND', NULL)::sponsorship_storage;
  ELSIF NOT grant_allows(account_number, granted, 'plan', now / 1000) THEN
    RETURN ('FORBIDDEN', NULL)::sponsorship_storage;
  END IF;

  SELECT k.identity, k.subject INTO known FROM idempotency_keys k
  WHERE k.account = account_number AND k.principal = asked.principal AND k.key = store_sponsorship.key;
  IF FOUND THEN
    RETURN (
      CASE WHEN known.identity = store_sponsorship.identity THEN 'TWIN' ELSE 'IDEMPOTENCY_CONFLICT' END, known.subject
    )::sponsorship_storage;
  END IF;

  IF NOT EXISTS (
    SELECT 1 FROM plans p WHERE p.id = asked.plan AND p.account = account_number AND p.principal = asked.principal
  ) THEN
    RETURN ('PLAN_NOT_FOUND', NULL)::sponsorship_storage;
  ELSIF asked.expires_at <= now THEN
    RETURN ('PLAN_EXPIRED', NULL)::sponsorship_storage;
  -- Those of archived plans no longer count.
  ELSIF sponsorships_full(account_number, sponsorships_limit) THEN
    RETURN ('SPONSORSHIPS_LIMIT', NULL)::sponsorship_storage;
  ELSIF EXISTS (SELECT 1 FROM idempotency_keys k WHERE k.account = account_number OFFSET keys_limit - 1) THEN
    RETURN ('KEYS_LIMIT', NULL)::sponsorship_storage;
  END IF;

  asked.account := account_number;
  asked.created_at := coalesce(asked.created_at, now);
  asked.revision := 0;
  INSERT INTO sponsorships VALUES (asked.*);
  INSERT INTO idempotency_keys (account, principal, key, identity, kind, plan, subject, created_at)
  VALUES (account_number, asked.principal, store_sponsorship.key, store_sponsorship.identity, 'sponsorship', asked.plan, asked.id, now);
  RETURN ('STORED', asked.id)::sponsorship_storage;
END $$;
