-- edition 1
-- Stores a review of an app's own operation for its idempotency key under the lock of its account's row; its times are given here.
-- Verdict TWIN: the key has this review already.
CREATE OR REPLACE FUNCTION store_payment_review(
  of_account text,
  of_principal text,
  key text,
  identity text,
  asked payment_reviews,
  life_millis bigint,
  keys_limit integer
) RETURNS review_storage LANGUAGE plpgsql AS $$
DECLARE
  account_number bigint;
  known record;
  operated record;
  grant_expiry bigint;
  now bigint;
BEGIN
  SELECT a.number INTO account_number FROM accounts a WHERE a.id = of_account FOR UPDATE;
  now := unix_millis();
  IF account_number IS NULL THEN
    RETURN ('ACCOUNT_NOT_FOUND', NULL)::review_storage;
  ELSIF NOT grant_allows(account_number, asked.grant_id, 'plan', now / 1000) THEN
    RETURN ('FORBIDDEN', NULL)::review_storage;
  END IF;

  SELECT k.identity, k.subject INTO known FROM idempotency_keys k
  WHERE k.account = account_number AND k.principal = of_principal AND k.key = store_payment_review.key;
  IF FOUND THEN
    RETURN (
      CASE WHEN known.identity = store_payment_review.identity THEN 'TWIN' ELSE 'IDEMPOTENCY_CONFLICT' END, known.subject
    )::review_storage;
  END IF;

  SELECT o.plan, o.expires_at, o.claimed INTO operated FROM user_operations o
  WHERE o.id = asked.operation AND o.account = account_number AND o.principal = of_principal;
  IF NOT FOUND THEN
    RETURN ('OPERATION_NOT_FOUND', NULL)::review_storage;
  ELSIF operated.claimed THEN
    RETURN ('OPERATION_SENT', NULL)::review_storage;
  ELSIF operated.expires_at <= now THEN
    RETURN ('OPERATION_EXPIRED', NULL)::review_storage;
  ELSIF EXISTS (SELECT 1 FROM idempotency_keys k WHERE k.account = account_number OFFSET keys_limit - 1) THEN
    RETURN ('KEYS_LIMIT', NULL)::review_storage;
  END IF;

  SELECT g.expires_at * 1000 INTO grant_expiry FROM bot_grants g WHERE g.id = asked.grant_id;
  asked.account := account_number;
  asked.created_at := now;
  asked.expires_at := least(operated.expires_at, grant_expiry, now + life_millis);
  INSERT INTO payment_reviews VALUES (asked.*) ON CONFLICT (operation) DO NOTHING;
  IF NOT FOUND THEN
    RETURN ('REVIEWED', NULL)::review_storage;
  END IF;
  INSERT INTO idempotency_keys (account, principal, key, identity, kind, plan, subject, created_at)
  VALUES (account_number, of_principal, store_payment_review.key, store_payment_review.identity, 'review', operated.plan, asked.id, now);
  RETURN ('STORED', asked.id)::review_storage;
END $$;
